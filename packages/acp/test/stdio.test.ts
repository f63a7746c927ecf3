import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import { commands } from "./commands.js";

const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const frame = (message: object, head = (length: number) => `Content-Length: ${length}\r\n\r\n`): Buffer => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return Buffer.concat([Buffer.from(head(body.length)), body]);
};
const initialize = {
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientInfo: { name: "Grüße", version: "世" } },
};

let child: ChildProcessWithoutNullStreams;
let log = "";
afterEach(() => child.kill("SIGKILL"));

/** Starts the agent, writes the chunks one by one and reads until its output holds `until`. */
async function exchange(chunks: readonly (string | Uint8Array)[], until: string): Promise<string> {
  const [command = "", ...args] = commands.agent;
  child = spawn(command, args, { stdio: "pipe" });
  let output = "";
  log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString("latin1")));
  for (const chunk of chunks) {
    if (!child.stdin.write(chunk)) await once(child.stdin, "drain");
    await new Promise(setImmediate);
  }
  while (!output.includes(until)) await once(child.stdout, "data");
  return output;
}

describe("an agent on stdio", () => {
  it("V01, S01, S03: answers a line with one line of JSON-RPC 2.0", async () => {
    const output = await exchange([line(initialize)], "\n");
    expect(output.split("\n")).toHaveLength(2);
    expect(JSON.parse(output)).toMatchObject({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } });
  });

  it("P14, S02, S06: answers a header frame with header frames of the right length in bytes", async () => {
    const output = await exchange([frame(initialize)], "}}");
    const [, length, body] = /^Content-Length: (\d+)\r\n\r\n(.*)$/s.exec(output) ?? [];
    expect(body).toHaveLength(Number(length));
    expect(JSON.parse(Buffer.from(body ?? "", "latin1").toString())).toMatchObject({ id: 1 });
  });

  const bare = '{"type":"text","text":"line one"}';
  const official = { ...initialize, params: { ...initialize.params, clientCapabilities: { terminal: true } } };

  it.each([
    ["headers, bare as in the specification", frame, initialize, bare],
    ["headers and official capabilities, wrapped", frame, official, `{"type":"content","content":${bare}}`],
    ["lines, wrapped as in the official dialect", line, initialize, `{"type":"content","content":${bare}}`],
  ])("writes tool output to a client that sends %s", async (_name, write, first, block) => {
    const chunks = [write(first), write({ id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } })];
    const opened = await exchange(chunks, '"id":2');
    const sessionId = /"sessionId":"([^"]+)"/.exec(opened)?.[1];
    const prompt = [{ type: "text", text: "output" }];
    child.stdin.write(write({ id: 3, method: "session/prompt", params: { sessionId, prompt } }));
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    while (!output.includes('"id":3')) await once(child.stdout, "data");
    expect(output).toContain(`"content":[${block}]`);
  });

  it.each([
    ["lower case, LF, no space", (n: number) => `content-length:${n}\n\n`],
    [
      "an extra header behind",
      (n: number) => `CONTENT-LENGTH: ${n}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
    ],
    ["an extra header before", (n: number) => `Content-Type: application/json\r\nContent-Length: ${n}\r\n\r\n`],
  ])("S04: reads a header with %s", async (_name, head) => {
    expect(await exchange([frame(initialize, head)], "}}")).toMatch(/^Content-Length: \d+\r\n\r\n/);
  });

  it("S05: keeps the framing of the first message when a header comes later", async () => {
    const output = await exchange(
      [line(initialize), frame({ id: 2, method: "authenticate", params: { methodId: "x" } })],
      '"id":2',
    );
    expect(output).not.toContain("Content-Length");
  });

  it("S07: reads messages one byte at a time, and many in one chunk", async () => {
    const bytes = [...frame(initialize)].map((byte) => Uint8Array.of(byte));
    const several = Buffer.concat(
      [2, 3, 4].map((id) => frame({ id, method: "authenticate", params: { methodId: "x" } })),
    );
    const output = await exchange([...bytes, several], '"id":4');
    expect(output.match(/"id":\d/g)).toEqual(['"id":1', '"id":2', '"id":3', '"id":4']);
  });

  it("V28, S34: answers bad JSON with -32700, says so on stderr, and goes on", async () => {
    const output = await exchange(["{nope}\n", line(initialize)], '"id":1');
    while (!log.includes("\n")) await once(child.stderr, "data");
    expect(log).toMatch(/^connection \(onError is not set\): WireError: the message is not readable as JSON: /);
    const [error, answer] = output
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as unknown);
    expect(error).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32700 } });
    expect(answer).toMatchObject({ id: 1, result: { protocolVersion: 1 } });
  });
});
