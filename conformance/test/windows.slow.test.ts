import { expect, it } from "vitest";
import { bundle } from "../../scripts/testing/bundle.js";
import { runOnWindows, whyNoWindows } from "../../scripts/testing/wine.js";
import type { results } from "./fixtures/windows.js";

const { windows } = await bundle(import.meta.url, { windows: "fixtures/windows.ts" });

it("starts a target on Windows that npm installed, with its arguments unchanged", async ({ skip }) => {
  const missing = whyNoWindows();
  if (missing !== undefined) return skip(missing);
  const seen = (await runOnWindows(windows)) as typeof results;
  expect(seen).toEqual({ platform: "win32", args: seen.args, byName: seen.args, byPath: seen.args });
});
