import { describe, expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { runOnWindows, whyNoWindows } from "../../../scripts/testing/wine.js";
import { batchCommandLine } from "../src/node/batch.js";
import type { results } from "./fixtures/windows.js";

const { windows } = await bundle(import.meta.url, { windows: "fixtures/windows.ts" });

it("starts batch files, ends children and serves a named pipe on Windows", async ({ skip }) => {
  const missing = whyNoWindows();
  if (missing !== undefined) return skip(missing);
  const seen = (await runOnWindows(windows)) as typeof results;
  const exited = (name: string) => ({ messages: [seen.args], closed: `${name} exited with code 0` });
  expect(seen).toEqual({
    platform: "win32",
    args: expect.arrayContaining(["a b", 'x" & echo no & "']),
    injecting: '{"note":"x & echo no & "}',
    // The reason for an escape of our own: cross-spawn escapes twice only for files in node_modules/.bin, so that an
    // argument runs a command where npm installs globally.
    crossSpawn: { prefix: ['["{\\"note\\":\\"x "]', "no"], bin: [JSON.stringify([seen.injecting])] },
    fromPrefix: { messages: [[seen.injecting]], closed: "show-args exited with code 0" },
    fromPath: exited("show-args"),
    byName: exited("show-args.cmd"),
    byPath: exited("show-args"),
    byRelativePath: exited("show-args"),
    direct: exited("node.exe"),
    missing: { messages: [], closed: `cannot start "no-such-agent" in "${seen.cwd}": no such command` },
    missingBatch: { messages: [], closed: `cannot start "no-such-agent.cmd" in "${seen.cwd}": no such command` },
    missingFolder: { messages: [], closed: 'cannot start "show-args" in "C:\\no\\such": the folder does not exist' },
    shimTree: { before: true, after: false, closed: "tree exited with code 0" },
    // Wine's taskkill does not know /T, so the child alone is killed, and Windows ends the children of a dead Node.
    nodeTree: { before: true, after: false, closed: expect.stringContaining("after it did not exit in time") },
    pipe: { answer: { echo: "Grüße" }, after: false },
    cwd: expect.stringContaining("editwire windows-"),
  });
});

describe("batchCommandLine", () => {
  it("escapes every argument for the line and for the batch file", () => {
    expect(batchCommandLine("C:\\a b\\agent.cmd", ["x", "a b", '"&%PATH%', "c\\"])).toBe(
      ['"C:\\a b\\agent.cmd"', '^^^"x^^^"', '^^^"a^^^ b^^^"', '^^^"\\^^^"^^^&^^^%PATH^^^%^^^"', '^^^"c\\\\^^^"'].join(
        " ",
      ),
    );
  });

  it.each(["a\nb", "a\r", "a\0b"])("refuses %j as an argument", (arg) => {
    expect(() => batchCommandLine("agent.cmd", [arg])).toThrow(
      new TypeError(`expected arguments of the batch file "agent.cmd" on one line, received ${JSON.stringify(arg)}`),
    );
  });

  it("refuses a path with a variable", () => {
    expect(() => batchCommandLine("C:\\%PATH%\\agent.cmd", [])).toThrow(TypeError);
    expect(batchCommandLine("C:\\100%\\agent.cmd", [])).toBe('"C:\\100%\\agent.cmd"');
  });
});
