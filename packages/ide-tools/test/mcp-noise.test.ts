import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { readLines } from "../../../scripts/testing/lines.js";
import { tempFolder } from "./support/temp-folder.js";

const { bin } = await bundle(
  import.meta.url,
  { bin: "../src/bin.ts", "call-chain/index-worker": "../src/call-chain/index-worker.ts", ...toolWorker },
  { external: ["web-tree-sitter"] },
);

const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1.0.0" } };
const initialize = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params });

/** Starts the program, and sends it raw text. `answer` resolves to its next message, `end` to its stderr. */
async function start() {
  const child = spawn(process.execPath, [bin, "mcp", await tempFolder()]);
  onTestFinished(() => void child.kill());
  const lines = readLines(child.stdout);
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => void (stderr += text));
  return {
    send: (text: string) => void child.stdin.write(text),
    answer: async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null"),
    async end(): Promise<string> {
      const closed = once(child, "close");
      child.stdin.end();
      await closed;
      return stderr;
    },
  };
}

it.each([
  ["a byte order mark", "\uFEFF"],
  ["a terminal title", "\u001b]0;~/project\u0007"],
  ["the text of a shell profile", "motd: 3 updates\r"],
])("reads a call behind %s without a line break", async (_name, noise) => {
  const { send, answer, end } = await start();
  send(`${noise}${initialize}\n`);
  expect(await answer()).toMatchObject({ id: 1, result: { serverInfo: { name: "editwire-ide-tools" } } });
  send(`${noise}{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n`);
  expect(await answer()).toMatchObject({ id: 2, result: { tools: { length: 4 } } });
  expect(await end()).toContain("text that is not a message is attached to a message\n");
});

it("answers a call that cannot be read, and says nothing when all is well", async () => {
  const { send, answer, end } = await start();
  send(`${initialize}\n`);
  expect(await answer()).toMatchObject({ id: 1 });
  send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"cost":NaN}}\n`);
  expect(await answer()).toMatchObject({ id: 2, error: { code: -32700, message: expect.stringContaining("JSON") } });
  send(`{"jsonrpc":"2.0","id":3,"method":"ping"}\n`);
  expect(await answer()).toMatchObject({ id: 3, result: {} });
  expect(await end()).toContain("not readable as JSON");

  const quiet = await start();
  quiet.send(`${initialize}\n`);
  await quiet.answer();
  expect(await quiet.end()).toBe("");
});
