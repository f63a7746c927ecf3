import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { runOnWindows, whyNoWindows } from "../../../scripts/testing/wine.js";
import type { results } from "./fixtures/windows.js";

const { windows, agent } = await bundle(import.meta.url, {
  windows: "fixtures/windows.ts",
  agent: "fixtures/agent.ts",
});

it("has a turn on Windows with an agent that npm installed", async ({ skip }) => {
  const missing = whyNoWindows();
  if (missing !== undefined) return skip(missing);
  const { cwd, ...seen } = (await runOnWindows(windows, [agent])) as typeof results;
  expect(seen).toEqual({
    platform: "win32",
    turn: { name: "fixture", events: ["Grüße, 世界\r\n", "end_turn"] },
    missing: `initialize: cannot start "no-such-agent" in "${cwd}": no such command`,
  });
});
