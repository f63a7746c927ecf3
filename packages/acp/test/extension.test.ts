import { agent as officialAgent, client as officialClient, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { isRemoteError, isWireError } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { type AcpAgent, connectAcp, defineAcpExtension, notification, request, serveAcp } from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { officialPair } from "./official-pair.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const cwd = "/project";
const acme = defineAcpExtension({
  "_acme/search": request({
    from: "client",
    params: z.object({ query: z.string() }),
    result: z.object({ hits: z.array(z.string()) }),
  }),
  "_acme/progress": notification({ from: "agent", params: z.object({ sessionId: z.string(), percent: z.number() }) }),
  "_acme/pick": request({
    from: "agent",
    params: z.object({ sessionId: z.string(), of: z.array(z.string()) }),
    result: z.object({ picked: z.string() }),
  }),
});
const search = acme.agent({ "_acme/search": ({ query }) => ({ hits: [query.toUpperCase()] }) });
const working: AcpAgent = {
  async prompt(turn) {
    const { id: sessionId } = turn.session;
    const client = acme.of(turn.session);
    await client.notify("_acme/progress", { sessionId, percent: 50 });
    const { picked } = await client.request("_acme/pick", { sessionId, of: ["a", "b"] });
    await turn.text(picked);
  },
};

describe("an extension's methods", () => {
  it("are typed and validated in both roles", async () => {
    const percents: number[] = [];
    const extension = acme.client({
      "_acme/progress": ({ percent }) => void percents.push(percent),
      "_acme/pick": ({ of }) => ({ picked: of.at(-1) ?? "" }),
    });
    const { client } = await acpPair(working, { client: { extension }, agent: { extension: search } });
    expect(await acme.of(client).request("_acme/search", { query: "tea" })).toEqual({ hits: ["TEA"] });
    const refused = await acme
      .of(client)
      .request("_acme/search", { query: 1 as never })
      .catch((error: unknown) => error);
    expect(isWireError(refused, "invalid_params")).toBe(true);
    const session = await client.newSession({ cwd });
    const texts = [];
    for await (const event of session.prompt("go")) if (event.type === "text") texts.push(event.text);
    expect([texts, percents]).toEqual([["b"], [50]]);
  });

  it("V23, V40: are answered with -32601 and ignored by a side without the extension", async () => {
    const { client } = await acpPair(working, {
      client: { extension: acme.client({ "_acme/pick": () => ({ picked: "" }) }) },
    });
    const refused = await acme
      .of(client)
      .request("_acme/search", { query: "tea" })
      .catch((error: unknown) => error);
    expect(isRemoteError(refused, -32601)).toBe(true);
    await client.close();

    const [left, right] = memoryPair();
    serveAcp(left, working, { extension: search });
    const raw = new RawPeer(right);
    raw.send({ jsonrpc: "2.0", method: "_acme/unknown", params: {} });
    expect((await raw.call("_acme/search", { query: 1 })).error).toMatchObject({ code: -32602 });
    expect((await raw.call("_acme/search", { query: "tea" })).result).toEqual({ hits: ["TEA"] });
    expect((await raw.call("_acme/other", {})).error).toMatchObject({ code: -32601 });
    expect(raw.received).toHaveLength(3);
  });

  it("cannot be sent over a connection that was opened without the extension", async () => {
    const { client } = await acpPair(working);
    const refused = await acme
      .of(client)
      .request("_acme/search", { query: "tea" })
      .catch((error: unknown) => error);
    expect(isWireError(refused, "invalid_params")).toBe(true);
  });

  it("reach the official SDK, and come from it", async () => {
    const first = officialPair();
    serveAcp(first.ours, working, { extension: search });
    const pass = (value: unknown) => value;
    const connection = officialClient({ name: "official" })
      .onRequest("_acme/pick", pass, () => ({ picked: "official" }))
      .onNotification(methods.client.session.update, () => {})
      .connect(first.official);
    await connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    expect(await connection.agent.request("_acme/search", { query: "tea" })).toEqual({ hits: ["TEA"] });
    const { sessionId } = await connection.agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "go" }];
    const answer = await connection.agent.request(methods.agent.session.prompt, { sessionId, prompt });
    expect(answer).toEqual({ stopReason: "end_turn" });

    const second = officialPair();
    officialAgent({ name: "official" })
      .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
      .onRequest("_acme/search", pass, () => ({ hits: ["official"] }))
      .connect(second.official);
    const client = await connectAcp(second.ours, { extension: acme.client({ "_acme/pick": () => ({ picked: "" }) }) });
    expect(await acme.of(client).request("_acme/search", { query: "tea" })).toEqual({ hits: ["official"] });
  });

  it("have names that begin with _", () => {
    const row = request({ from: "client", params: z.object({}), result: z.object({}) });
    expect(() => defineAcpExtension({ "acme/search": row })).toThrow(TypeError);
  });
});

it("V24: trace context travels in _meta from editor to agent and back, on requests, updates and results", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const _meta = { traceparent };
  const seen: Record<string, unknown> = {};
  const note = (place: string, meta: Readonly<Record<string, unknown>> | undefined): void =>
    void (seen[place] = meta?.["traceparent"]);
  const agent: AcpAgent = {
    newSession: ({ meta }) => note("session/new", meta),
    listSessions(params) {
      note("session/list", params._meta);
      return { sessions: [], _meta: params._meta };
    },
    async prompt(turn) {
      const { meta = {} } = turn;
      note("session/prompt", meta);
      await turn.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" }, _meta: meta });
      const call = await turn.toolCall({ title: "Read", kind: "read", _meta: meta });
      await turn.client.withMeta(meta).readTextFile("/project/a.txt");
      await call.complete({ _meta: meta });
      return { stopReason: "end_turn", _meta: meta };
    },
  };
  const { client } = await acpPair(agent, {
    client: {
      fs: {
        async readTextFile(params) {
          note("fs/read_text_file", params._meta);
          return { content: "" };
        },
      },
    },
  });
  const session = await client.newSession({ cwd, _meta });
  note("the result of session/list", (await client.listSessions({ _meta }))._meta);
  const turn = session.prompt("go", { _meta });
  for await (const event of turn) if (event.type !== "stop") note(event.update.sessionUpdate, event.update._meta);
  note("the result of session/prompt", (await turn.answer)._meta);
  const places = [
    "session/new",
    "session/list",
    "the result of session/list",
    "session/prompt",
    "agent_message_chunk",
    "tool_call",
    "fs/read_text_file",
    "tool_call_update",
    "the result of session/prompt",
  ];
  expect(seen).toEqual(Object.fromEntries(places.map((place) => [place, traceparent])));
});
