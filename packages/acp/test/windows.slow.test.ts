import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { runOnWindows, whyNoWindows } from "../../../scripts/testing/wine.js";
import type { results } from "./fixtures/windows.js";
import type { results as services } from "./fixtures/windows-services.js";

const { windows, windowsServices, agent } = await bundle(import.meta.url, {
  windows: "fixtures/windows.ts",
  windowsServices: "fixtures/windows-services.ts",
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

it("has files, commands that npm installed and stored sessions on Windows", async ({ skip }) => {
  const missing = whyNoWindows();
  if (missing !== undefined) return skip(missing);
  const { root, ...seen } = (await runOnWindows(windowsServices)) as typeof services;
  expect(seen).toEqual({
    command: { exit: { exitCode: 0 }, output: [root, 'x" & echo no & "'] },
    files: {
      content: "two\r\n",
      outside: "the path is outside of the session's folders",
      disk: "one\r\ntwo\r\n",
    },
    sessions: {
      listed: ["A: title of A", "CON: title of CON", "a:b: title of a:b"],
      entries: [{ text: "a:b" }],
      left: 2,
    },
  });
});
