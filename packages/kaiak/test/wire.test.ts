import { once } from "node:events";
import { PassThrough } from "node:stream";
import { contentLength } from "@editwire/framing";
import { connectKaiak, serveKaiak } from "@editwire/kaiak";
import { nodeStreamTransport } from "@editwire/transport/node";
import { expect, it } from "vitest";

it("B01, B09, B40: a client frames UTF-8 bytes, and sends a command with exactly one argument", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const client = await connectKaiak(nodeStreamTransport(input, output, contentLength()));
  const asked = client.configure({ workspace: { working_dir: "/Präsident/日本" } });
  const [bytes] = (await once(output, "data")) as [Buffer];
  const [header = "", body = ""] = bytes.toString().split("\r\n\r\n");
  expect(header).toBe(`Content-Length: ${Buffer.byteLength(body)}`);
  const message = JSON.parse(body) as { jsonrpc: string; id: number; params: { arguments: unknown[] } };
  expect(message).toMatchObject({
    jsonrpc: "2.0",
    method: "workspace/executeCommand",
    params: { command: "kaiak/configure" },
  });
  expect(message.params.arguments).toEqual([{ configuration: { workspace: { working_dir: "/Präsident/日本" } } }]);
  input.end();
  await expect(asked).rejects.toMatchObject({ code: "closed" });
});

it("B08, B09: a server answers nothing but whole frames of version 2.0", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  serveKaiak(nodeStreamTransport(input, output, contentLength()), {
    prompt: async (turn) => turn.text("é\n日本"),
  });
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const ended = once(output, "end");
  const calls = [
    ["kaiak/configure", { configuration: { workspace: { working_dir: "/" } } }],
    ["kaiak/generate_fix", { session_id: "s", incidents: [{ id: "1", rule_id: "r", message: "m" }] }],
  ];
  for (const [id, [command, argument]] of calls.entries()) {
    const params = { command, arguments: [argument] };
    const text = JSON.stringify({ jsonrpc: "2.0", id, method: "workspace/executeCommand", params });
    input.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    while (!Buffer.concat(chunks).includes(`"id":${id}`)) await once(output, "data");
  }
  input.end();
  await ended;
  let rest = Buffer.concat(chunks);
  let frames = 0;
  while (rest.length > 0) {
    const [header = "", size = "0"] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest.toString("latin1")) ?? [];
    expect(header).not.toBe("");
    const end = header.length + Number(size);
    expect(JSON.parse(rest.subarray(header.length, end).toString())).toMatchObject({ jsonrpc: "2.0" });
    rest = rest.subarray(end);
    frames++;
  }
  expect(frames).toBe(3);
});
