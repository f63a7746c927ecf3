import { readFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { httpClientTransport } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenAcp } from "../src/node.js";
import { httpPeer } from "./http-peer.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

/** One case of the recording: a request and its answer, or the bytes of an event stream. */
interface Recorded {
  readonly note: string;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  readonly status: number;
  readonly type: string | null;
  readonly stream?: string;
}

const recording = JSON.parse(
  readFileSync(new URL("fixtures/elephant-http.json", import.meta.url), "utf8"),
) as Recorded[];
const ping = "8\r\n: ping\n\n\r\n"; // as in the recording, "keepalive after ~5s"
const streamOf = (note: string): string => recording.find((entry) => entry.note === note)?.stream ?? "";

/** Where we say more than elephant.ai does. */
const finer: Record<string, number> = { "body > 4MiB": 413 };

describe("what was recorded of elephant.ai's HTTP server", () => {
  it("is what ours answers to the same requests", async () => {
    const listener = await listenAcp({ prompt: async () => {} }, { paths: "spec", onError: () => {} });
    onTestFinished(() => listener.close());
    for (const { note, method, path, body, status, type, stream } of recording) {
      if (stream !== undefined) continue;
      const sent = /^<(\d+) bytes>$/.exec(body ?? "") === null ? body : JSON.stringify("x".repeat(4_194_366));
      const response = await fetch(listener.url + path, { method, body: sent });
      const got = { note, status: response.status, type: response.headers.get("content-type") };
      expect(got).toEqual({ note, status: finer[note] ?? status, type });
      expect((await response.text()) === "").toBe(type === null);
    }
  });

  it("comes on the event stream for the same client as there", async () => {
    const listener = await listenAcp({ prompt: async () => {} }, { paths: "spec", onError: () => {} });
    onTestFinished(() => listener.close());
    for (const { path, method, body, stream } of recording) {
      if (stream === undefined && method === "POST" && path.startsWith("/acp/rpc?client_id=a"))
        await fetch(listener.url + path, { method, body });
    }
    const events = await httpPeer(listener.url, "a").open();
    await events.until(({ id }) => id === 6);
    // To a message that is neither a request nor a response elephant.ai says nothing; ours says so, without an id.
    expect(events.received.filter(({ id }) => id !== null).map(({ id }) => id)).toEqual([1, 1, 5, 6]);
  });

  it("is read by our client, which POSTs to it", async () => {
    const requests: string[] = [];
    const server = createServer((socket: Socket) => {
      socket
        .on("error", () => {})
        .on("data", (data) => {
          const [head = ""] = String(data).split("\r\n");
          requests.push(head);
          if (head.startsWith("POST")) socket.write("HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n");
          else socket.write(streamOf("SSE attach after 2-3 queued responses (client a)") + ping);
        });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/acp`;
    const peer = new RawPeer(httpClientTransport({ rpc: `${url}/rpc?client_id=a`, events: `${url}/sse?client_id=a` }));
    onTestFinished(() => void server.close());
    await peer.until(() => peer.received.length === 2);
    for (const answer of peer.received)
      expect(answer).toMatchObject({
        jsonrpc: "2.0",
        id: 1,
        result: { protocolVersion: 1, agentInfo: { title: "elephant.ai" } },
      });
    peer.send({ jsonrpc: "2.0", method: "session/cancel", params: {} });
    await peer.close();
    expect(requests).toEqual(["GET /acp/sse?client_id=a HTTP/1.1", "POST /acp/rpc?client_id=a HTTP/1.1"]);
  });
});
