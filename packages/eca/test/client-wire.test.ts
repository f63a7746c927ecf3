import { PassThrough } from "node:stream";
import { nodeStreamTransport } from "@editwire/transport/node";
import { describe, expect, it } from "vitest";
import { connectEca, ecaFraming } from "../src/index.js";
import { all, seedInfo } from "./client-peer.js";

const frame = (message: object, header = ""): Buffer => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  return Buffer.concat([Buffer.from(`${header}Content-Length: ${body.length}\r\n\r\n`), body]);
};

const content = (text: string): object => ({
  method: "chat/contentReceived",
  params: { chatId: "c", role: "assistant", content: { type: "text", text } },
});
const answers = [
  { id: 1, result: seedInfo },
  { method: "tool/serverUpdated", params: { type: "native", name: "ECA", status: "running", tools: [] } },
];
const turn = [
  { id: 2, result: { chatId: "c", model: "m1", status: "success" } },
  content("grün "),
  content("🎉"),
  {
    method: "chat/contentReceived",
    params: { chatId: "c", role: "system", content: { type: "progress", state: "finished" } },
  },
];

/** Ways to cut the same bytes into chunks. */
const deliveries: Record<string, (bytes: Buffer[]) => Buffer[]> = {
  "a byte at a time": (frames) => [...Buffer.concat(frames)].map((byte) => Buffer.of(byte)),
  "all at once": (frames) => [Buffer.concat(frames)],
  "header and body apart": (frames) =>
    frames.flatMap((bytes) => [bytes.subarray(0, bytes.indexOf("{")), bytes.subarray(bytes.indexOf("{"))]),
};
const headers = [
  "",
  "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n",
  "content-type: application/vscode-jsonrpc; charset=utf8\r\n",
  "X-Trace: 1\r\n",
];
const cases = Object.entries(deliveries).flatMap(([delivery, cut]) =>
  headers.map((header) => ({ delivery, header: JSON.stringify(header), cut, given: header })),
);

describe("C4: the bytes", () => {
  it.each(cases)("are read when they come $delivery, with the header $header", async ({ cut, given }) => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const send = (messages: object[]): void =>
      cut(messages.map((message) => frame(message, given))).forEach((chunk) => void toClient.write(chunk));
    const opening = connectEca(nodeStreamTransport(toClient, toServer, ecaFraming()), { shutdownTimeoutMs: 1 });
    send(answers);
    const client = await opening;
    const prompted = client.newSession({ sessionId: "c" }).prompt("Hi");
    send(turn);
    expect((await all(prompted)).map((event) => (event.type === "text" ? event.text : event.type))).toEqual([
      "grün ",
      "🎉",
      "stop",
    ]);
    await client.close();
  });

  it("are written as one header and one body, in one piece, counted in bytes", async () => {
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    const written: string[] = [];
    const first = new Promise<void>((resolve) => {
      toServer.on("data", (chunk: Buffer) => {
        written.push(chunk.toString());
        resolve();
      });
    });
    const opening = connectEca(nodeStreamTransport(toClient, toServer, ecaFraming()), {
      clientInfo: { name: "Grüße 🎉" },
    });
    await first;
    const [header = "", body = ""] = (written[0] ?? "").split("\r\n\r\n");
    expect(header).toBe(`Content-Length: ${Buffer.byteLength(body)}`);
    expect(JSON.parse(body)).toMatchObject({
      id: 1,
      method: "initialize",
      params: { clientInfo: { name: "Grüße 🎉" } },
    });
    expect(written).toHaveLength(1);
    toClient.end();
    await expect(opening).rejects.toMatchObject({ code: "closed" });
  });
});

it("A26: answers a message in another charset with the reason, and reads on", async () => {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const errors: unknown[] = [];
  const answered = new Promise<string>((resolve) => {
    let text = "";
    toServer.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('"id":null')) resolve(text);
    });
  });
  const opening = connectEca(nodeStreamTransport(toClient, toServer, ecaFraming()), {
    shutdownTimeoutMs: 1,
    onError: (error) => errors.push(error),
  });
  toClient.write(frame({ id: 9, method: "foo" }, "Content-Type: application/json; charset=utf-16\r\n"));
  for (const message of answers) toClient.write(frame(message));
  const client = await opening;
  expect(await answered).toMatch(/-32700.*Parse error: Content-Type: expected charset utf-8, received utf-16/);
  expect(errors).toMatchObject([{ code: "framing" }]);
  await client.close();
});
