// The demands of official v1 on either side, on the raw wire.
import { acpProfiles, type PlanEntry } from "@editwire/acp-schema";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import { type AcpAgent, type AcpAgentTurn, type AcpClientOptions, connectAcp, serveAcp } from "../src/index.js";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { soon } from "../../../scripts/testing/soon.js";

const cwd = "/work";
const text = { type: "text", text: "go" };

/** Our agent at the raw wire, and a session of it. */
async function serve(agent: Partial<AcpAgent> = {}): Promise<{ raw: RawPeer; sessionId: string }> {
  const [here, there] = memoryPair();
  const serving = serveAcp(there, { prompt: async () => "end_turn", ...agent }, { profile: acpProfiles.v1 });
  onTestFinished(() => serving.close());
  const raw = new RawPeer(here);
  await raw.call("initialize", { protocolVersion: 1 });
  const { result } = await raw.call("session/new", { cwd, mcpServers: [] });
  return { raw, sessionId: (result as { sessionId: string }).sessionId };
}

describe("an agent", () => {
  it("V04: refuses initialize without a protocolVersion", async () => {
    const { raw } = await serve();
    const { error } = await raw.call("initialize", {});
    expect([error?.code, error?.message]).toEqual([-32602, expect.stringContaining("params.protocolVersion")]);
  });

  it("V06: takes MCP servers on stdio, and others only where it declares them", async () => {
    const { raw } = await serve({ capabilities: { mcpCapabilities: { http: true } } });
    const open = async (server: object): Promise<unknown> => {
      const { result, error } = await raw.call("session/new", { cwd, mcpServers: [{ name: "m", ...server }] });
      return result === undefined ? error?.code : "opened";
    };
    const remote = { url: "http://127.0.0.1", headers: [] };
    expect(await open({ command: "/bin/mcp", args: [], env: [] })).toBe("opened");
    expect(await open({ type: "http", ...remote })).toBe("opened");
    expect(await open({ type: "sse", ...remote })).toBe(-32602);
  });

  it("V07: gets texts and links always, and the blocks that it declares", async () => {
    const seen: string[] = [];
    const promptCapabilities = { image: true, audio: true, embeddedContext: true };
    const { raw, sessionId } = await serve({
      capabilities: { promptCapabilities },
      prompt: async (turn) => void seen.push(...turn.prompt.map(({ type }) => type)),
    });
    const prompt = [
      text,
      { type: "resource_link", uri: "file:///a", name: "a" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "a" } },
    ];
    expect((await raw.call("session/prompt", { sessionId, prompt })).result).toEqual({ stopReason: "end_turn" });
    expect(seen).toEqual(prompt.map(({ type }) => type));
  });

  it("V07: refuses the blocks that it does not declare, with the capability, and the turn does not begin", async () => {
    let turns = 0;
    const { raw, sessionId } = await serve({ prompt: async () => void turns++ });
    for (const [capability, block] of [
      ["image", { type: "image", data: "aGk=", mimeType: "image/png" }],
      ["audio", { type: "audio", data: "aGk=", mimeType: "audio/wav" }],
      ["embeddedContext", { type: "resource", resource: { uri: "file:///a", text: "a" } }],
    ] as const) {
      const { error } = await raw.call("session/prompt", { sessionId, prompt: [text, block] });
      expect(error).toMatchObject({ code: -32602, data: { capability: `promptCapabilities.${capability}` } });
    }
    expect(turns).toBe(0);
    const prompt = [text, { type: "resource_link", uri: "file:///a", name: "a" }, { type: "_acme", data: 1 }];
    expect((await raw.call("session/prompt", { sessionId, prompt })).result).toEqual({ stopReason: "end_turn" });
  });

  it("V13: sends the whole plan each time", async () => {
    const first = { content: "Read", priority: "high", status: "pending" } as const;
    const second = { content: "Write", priority: "low", status: "pending" } as const;
    const plans: PlanEntry[][] = [
      [first, second],
      [{ ...first, status: "completed" }, second],
    ];
    const { raw, sessionId } = await serve({
      async prompt(turn) {
        for (const entries of plans) await turn.plan(entries);
      },
    });
    await raw.call("session/prompt", { sessionId, prompt: [text] });
    const updates = raw.received.flatMap(({ params }) => (params === undefined ? [] : [params["update"]]));
    expect(updates).toEqual(plans.map((entries) => ({ sessionUpdate: "plan", entries })));
  });

  it("V22: answers an unknown session with -32002 and its id", async () => {
    const { raw } = await serve({
      capabilities: { loadSession: true, sessionCapabilities: { resume: {}, close: {} } },
    });
    const target = { sessionId: "nobody" };
    for (const [method, params] of [
      ["session/prompt", { prompt: [text] }],
      ["session/load", { cwd, mcpServers: [] }],
      ["session/resume", { cwd }],
      ["session/set_mode", { modeId: "m" }],
      ["session/set_config_option", { configId: "c", value: "v" }],
      ["session/close", {}],
    ] as const) {
      const { error } = await raw.call(method, { ...target, ...params });
      expect([method, error?.code, error?.data]).toEqual([method, -32002, target]);
    }
  });

  it("V24: takes _meta on every message, and hands it to the handlers", async () => {
    const _meta = { traceparent: "00-1-2-01", "acme/x": { deep: [1] } };
    const seen: unknown[] = [];
    const { raw } = await serve({
      newSession: ({ meta }) => void seen.push(meta),
      prompt: async ({ meta, prompt, session }) => void seen.push(meta, prompt[0]?._meta, session.meta),
    });
    const call = async (method: string, params: object): Promise<Record<string, string>> => {
      const { result } = await raw.call(method, { ...params, _meta });
      return result as Record<string, string>;
    };
    await call("initialize", { protocolVersion: 1, clientInfo: { name: "c", version: "1", _meta } });
    seen.length = 0;
    const { sessionId } = await call("session/new", { cwd, mcpServers: [] });
    raw.send({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId, _meta } });
    expect(await call("session/prompt", { sessionId, prompt: [{ ...text, _meta }] })).toEqual({
      stopReason: "end_turn",
    });
    expect(seen).toEqual([_meta, _meta, _meta, _meta]);
  });

  it.each([0, -1, 7, "7", "", "a-b"])("V27: answers the id %j as it is, with its type", async (id) => {
    const { raw } = await serve();
    const before = raw.received.length;
    for (const method of ["initialize", "_acme/unknown"]) {
      const count = raw.received.length;
      raw.send({ jsonrpc: "2.0", id, method, params: { protocolVersion: 1 } });
      await raw.until((message) => raw.received.indexOf(message) >= count);
    }
    expect(raw.received.slice(before)).toMatchObject([
      { id, result: {} },
      { id, error: { code: -32601 } },
    ]);
  });

  it("V28: refuses a batch and what is not an object with -32600, and goes on", async () => {
    const { raw } = await serve();
    const before = raw.received.length;
    const batch = [{ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }];
    for (const odd of [batch, [], 7, "text", null]) raw.send(odd);
    expect((await raw.call("_acme/fence", {})).error?.code).toBe(-32601);
    const refused = Array.from({ length: 5 }, () => ({ id: null, error: { code: -32600 } }));
    expect(raw.received.slice(before, -1)).toMatchObject(refused);
  });

  it("V33: refuses paths that are not absolute, and lines before the first, before they leave", async () => {
    const errors: unknown[] = [];
    const [here, there] = memoryPair();
    const tries = async ({ client }: AcpAgentTurn): Promise<void> => {
      for (const call of [
        () => client.readTextFile("a.txt"),
        () => client.readTextFile("/a", { line: -1 }),
        () => client.readTextFile("/a", { line: 0 }),
        () => client.writeTextFile("../a", ""),
        () => client.createTerminal({ command: "ls", cwd: "a" }),
      ])
        errors.push(await call().then(String, ({ code }: { code: string }) => code));
    };
    serveAcp(there, { prompt: tries });
    const raw = new RawPeer(here);
    const clientCapabilities = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };
    await raw.call("initialize", { protocolVersion: 1, clientCapabilities });
    const { result } = await raw.call("session/new", { cwd, mcpServers: [] });
    await soon("the end of the turn", raw.call("session/prompt", { ...(result as object), prompt: [text] }));
    expect(errors).toEqual(Array.from({ length: 5 }, () => "invalid_params"));
  });

  it.each([
    { folder: "/work", a: "/work/src/a.ts", b: "/b.ts" },
    { folder: "C:\\work", a: "C:\\work\\src/a.ts", b: "D:\\b.ts" },
  ])(
    "V33: names the files of tool calls by absolute paths, and lines from 1 on, in $folder",
    async ({ folder, a, b }) => {
      const { raw } = await serve({
        async prompt(turn) {
          const call = await turn.toolCall({
            title: "Edit",
            locations: [
              { path: "src/a.ts", line: 0 },
              { path: b, line: 3 },
            ],
            content: [{ type: "diff", path: "src/a.ts", newText: "" }],
          });
          await turn.requestPermission(call);
          await call.complete({ locations: [{ path: "src/a.ts", line: 1 }] });
        },
      });
      const { result } = await raw.call("session/new", { cwd: folder, mcpServers: [] });
      const turn = raw.call("session/prompt", { ...(result as object), prompt: [text] });
      const asked = await raw.take("session/request_permission");
      raw.send({ jsonrpc: "2.0", id: asked.id, result: { outcome: { outcome: "cancelled" } } });
      await turn;
      const locations = [{ path: a }, { path: b, line: 3 }];
      const content = [{ type: "diff", path: a }];
      expect(asked.params?.["toolCall"]).toMatchObject({ locations, content });
      const updates = raw.received
        .filter(({ method }) => method === "session/update")
        .map(({ params }) => params?.["update"]);
      expect(updates).toMatchObject([{ locations, content }, { locations: [{ path: a, line: 1 }] }]);
      expect(JSON.stringify([asked, updates])).not.toContain('"line":0');
    },
  );
});

/** Our client with a session, at the raw wire. */
async function connect(options: AcpClientOptions = {}) {
  const [here, there] = memoryPair();
  const raw = new RawPeer(there);
  const answer = async (method: string, result: unknown): Promise<void> =>
    raw.send({ jsonrpc: "2.0", id: (await raw.take(method)).id, result });
  const connecting = connectAcp(here, options);
  await answer("initialize", { protocolVersion: 1 });
  const client = await connecting;
  onTestFinished(() => client.close());
  const opening = client.newSession({ cwd });
  await answer("session/new", { sessionId: "s1" });
  return { client, session: await opening, raw, answer };
}

describe("a client", () => {
  it("V39: takes updates outside of turns, after a cancel, of unknown kinds and of unknown sessions", async () => {
    const events: string[] = [];
    const errors: unknown[] = [];
    const { session, raw } = await connect({
      onUpdate: ({ type }) => void events.push(type),
      onError: (error) => void errors.push(error),
    });
    const update = (sessionId: string): void => {
      for (const body of [
        { sessionUpdate: "agent_message_chunk", content: text },
        { sessionUpdate: "future", more: 1 },
      ])
        raw.send({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: body } });
    };
    update("nobody");
    update("s1");
    await raw.call("_acme/fence", {});
    const turn = session.prompt("go");
    const { id } = await raw.take("session/prompt");
    await turn.cancel();
    update("s1");
    raw.send({ jsonrpc: "2.0", id, result: { stopReason: "cancelled" } });
    const seen: string[] = [];
    for await (const { type } of turn) seen.push(type);
    expect([events, seen]).toEqual([
      ["text", "unknown"],
      ["text", "unknown", "stop"],
    ]);
    expect(errors).toEqual([]);
  });

  it("V40: answers an unknown request -32601, and ignores an unknown notification", async () => {
    const { raw } = await connect();
    const before = raw.received.length;
    for (const method of ["_acme/ping", "session/unheard_of"]) raw.send({ jsonrpc: "2.0", method, params: {} });
    for (const method of ["_acme/ping", "fs/read_binary_file"])
      expect((await raw.call(method, {})).error?.code).toBe(-32601);
    expect(raw.received.length).toBe(before + 2);
  });

  it("V43: takes an error without an id, ids of the other type and null results", async () => {
    const { session, raw } = await connect();
    raw.send({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } });
    const turn = session.prompt("go");
    const { id } = await raw.take("session/prompt");
    raw.send({ jsonrpc: "2.0", id: String(id), result: { stopReason: "end_turn" } });
    expect(await soon("the end of the turn", turn.stopReason)).toBe("end_turn");
    const setting = session.setMode("any");
    raw.send({ jsonrpc: "2.0", id: (await raw.take("session/set_mode")).id, result: null });
    expect(await soon("the answer to session/set_mode", setting)).toEqual({});
  });

  it("V42: writes only valid messages, and takes noise between those of its agent", async () => {
    const { client, session, raw } = await connect();
    const turn = session.prompt("go");
    const { id } = await raw.take("session/prompt");
    for (const noise of [1, "debug: starting", null, {}, { hello: true }]) raw.send(noise);
    raw.send({ jsonrpc: "2.0", id, result: { stopReason: "end_turn" } });
    expect(await soon("the end of the turn", turn.stopReason)).toBe("end_turn");
    await client.close();
    expect(raw.received.map(({ jsonrpc, method }) => `${jsonrpc} ${method}`)).toEqual([
      "2.0 initialize",
      "2.0 session/new",
      "2.0 session/prompt",
    ]);
  });
});
