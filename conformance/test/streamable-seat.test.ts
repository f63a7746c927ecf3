import { dialAcp } from "@editwire/acp";
import { describe, expect, test } from "vitest";
import { acp, streamableSeat } from "../src/index.js";
import { Trace } from "../src/trace/trace.js";

const { streamable } = acp;
if (streamable === undefined) throw new TypeError("ACP has Streamable HTTP");
const post = { method: "POST", headers: { "content-type": "application/json" } };
const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };

async function sit() {
  const trace = new Trace();
  const place = await streamableSeat(streamable as never).prepare({
    trace,
    framing: "line",
    faults: [],
    graceMs: 100,
    env: {},
  });
  return { trace, place, url: place.variables["url"] ?? "" };
}

describe("the suite as an agent over Streamable HTTP", () => {
  test("answers initialize in the response, and everything else on the stream that it belongs to", async () => {
    const { trace, place, url } = await sit();
    trace.subscribe((entry) => {
      if (entry.kind !== "message" || entry.from !== "target") return;
      const { id, method, params } = entry.message as {
        id?: unknown;
        method?: string;
        params?: { sessionId?: string };
      };
      if (id === undefined) return;
      void place.taken.then((link) => {
        const say = (sessionId: string | undefined, text: string): void => {
          const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text } };
          link.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
        };
        if (method === "session/prompt") say(params?.sessionId, "hello");
        const results: Record<string, object> = {
          initialize: { protocolVersion: 1 },
          "session/new": { sessionId: "s" },
          "session/prompt": { stopReason: "end_turn" },
        };
        link.send({ jsonrpc: "2.0", id, result: results[String(method)] ?? {} });
      });
    });
    const client = await dialAcp(url.replace(/\/acp$/, ""));
    const session = await client.newSession({ cwd: "/tmp" });
    const said: string[] = [];
    for await (const event of session.prompt("Hello")) if (event.type === "text") said.push(event.text);
    expect(said).toEqual(["hello"]);
    await client.close();
    await place.close();
  });

  test("refuses what names no connection, and a second stream of a session", async () => {
    const { trace, place, url } = await sit();
    trace.subscribe((entry) => {
      if (entry.kind !== "message" || entry.from !== "target") return;
      void place.taken.then((link) => link.send({ jsonrpc: "2.0", id: 0, result: { protocolVersion: 1 } }));
    });
    const first = await fetch(url, { ...post, body: JSON.stringify(initialize) });
    const name = first.headers.get("acp-connection-id") ?? "";
    const get = (headers: Record<string, string>) => fetch(url, { headers }).then(({ status }) => status);
    expect(await get({})).toBe(400);
    expect(await get({ "acp-connection-id": "another" })).toBe(404);
    expect(await get({ "acp-connection-id": name })).toBe(200);
    expect(await get({ "acp-connection-id": name })).toBe(409);
    const late = await fetch(url, { ...post, body: JSON.stringify({ ...initialize, id: 1, method: "session/new" }) });
    expect(late.status).toBe(400);
    await place.close();
  });
});
