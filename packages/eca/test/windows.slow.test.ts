import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { runOnWindows, whyNoWindows } from "../../../scripts/testing/wine.js";
import type { results } from "./fixtures/windows.js";

const { windows } = await bundle(import.meta.url, { windows: "fixtures/windows.ts" });
const server = fileURLToPath(new URL("fixtures/raw-server.mjs", import.meta.url));

it("has a turn on Windows with a server that npm installed", async ({ skip }) => {
  const missing = whyNoWindows();
  if (missing !== undefined) return skip(missing);
  expect((await runOnWindows(windows, [server])) as typeof results).toEqual({
    platform: "win32",
    workspaceFolders: [{ uri: expect.stringMatching(/^file:\/\/\/Z:\/tmp\/.*\/npm%20&%20more$/), name: "npm & more" }],
    events: ["text", "stop"],
  });
});
