import { client as officialClient, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { isWireError } from "@editwire/core";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AcpAgent,
  type AcpClient,
  acpProfiles,
  connectAcp,
  dialAcp,
  isSessionNotFound,
  memorySessionStore,
  serveAcp,
  type SessionConfigOption,
  type SessionUpdate,
  specModes,
} from "../src/index.js";
import { listenAcp } from "../src/node.js";
import { officialPair } from "./official-pair.js";
import { RawPeer } from "../../peer/test/raw-peer.js";
import { textOf } from "./turns.js";
import { soon } from "../../../scripts/testing/soon.js";

const cwd = "/project";
const prompt = (text: string) => [{ type: "text" as const, text }];
const model: SessionConfigOption = {
  id: "model",
  name: "Model",
  type: "select",
  currentValue: "a",
  options: [
    { value: "a", name: "A" },
    { value: "b", name: "B" },
  ],
};

/** An agent that is started again and again over the same store. */
function storedAgent(store = memorySessionStore<SessionUpdate>(), more: Partial<AcpAgent> = {}): AcpAgent {
  return {
    sessions: store,
    modes: specModes,
    configOptions: [model],
    async prompt(turn) {
      await turn.session.setTitle(`About ${turn.promptText}`);
      void turn.text(`You said ${turn.promptText}`);
    },
    ...more,
  };
}

/** A new process, as far as the agent can see: nothing but the store is the same. */
async function start(agent: AcpAgent): Promise<RawPeer> {
  const [left, right] = memoryPair();
  serveAcp(left, agent, { profile: acpProfiles.v1 });
  const client = new RawPeer(right);
  await client.call("initialize", { protocolVersion: 1 });
  return client;
}

const updatesIn = ({ received }: RawPeer): unknown[] =>
  received.flatMap(({ method, params }) => (method === "session/update" ? [params?.["update"]] : []));
const chunk = (sessionUpdate: string, text: string): object => ({ sessionUpdate, content: { type: "text", text } });
const userChunk = (text: string): object => ({
  ...chunk("user_message_chunk", text),
  messageId: expect.any(String) as string,
});

async function newSession(client: RawPeer): Promise<string> {
  const { result } = await client.call("session/new", { cwd, mcpServers: [] });
  return (result as { sessionId: string }).sessionId;
}

describe("an agent with a store", () => {
  it("V16: replays the conversation before the answer to session/load, with mode, settings and title", async () => {
    const agent = storedAgent();
    const first = await start(agent);
    const sessionId = await newSession(first);
    await first.call("session/prompt", { sessionId, prompt: prompt("tea") });
    await first.call("session/set_mode", { sessionId, modeId: "safe" });
    await first.call("session/set_config_option", { sessionId, configId: "model", value: "b" });
    await first.close();

    const second = await start(agent);
    const { result } = await second.call("session/load", { sessionId, cwd: "/moved", mcpServers: [] });
    expect(result).toMatchObject({ modes: { currentModeId: "safe" }, configOptions: [{ currentValue: "b" }] });
    expect(updatesIn(second)).toEqual([
      userChunk("tea"),
      { sessionUpdate: "session_info_update", title: "About tea" },
      chunk("agent_message_chunk", "You said tea"),
    ]);
    await second.call("session/prompt", { sessionId, prompt: prompt("milk") });
    const { result: listed } = await second.call("session/list", { cwd: "/moved" });
    expect(listed).toMatchObject({ sessions: [{ sessionId, cwd: "/moved", title: "About milk" }] });
  });

  it("V17: replays nothing on session/resume, and gives the handler the history", async () => {
    const histories: number[] = [];
    const agent = storedAgent(undefined, {
      restoreSession: async (session) => void histories.push((await session.history()).length),
    });
    const first = await start(agent);
    const sessionId = await newSession(first);
    await first.call("session/prompt", { sessionId, prompt: prompt("tea") });
    const second = await start(agent);
    const { error } = await second.call("session/resume", { sessionId, cwd });
    expect(error).toBeUndefined();
    expect(updatesIn(second)).toEqual([]);
    expect(histories).toEqual([3]);
  });

  it("V18: closes a session: its turn ends as cancelled, and it can be loaded again", async () => {
    const agent = storedAgent(undefined, { prompt: ({ signal }) => endOf(signal) });
    const client = await start(agent);
    const sessionId = await newSession(client);
    const answer = client.call("session/prompt", { sessionId, prompt: prompt("wait") });
    const { result } = await soon("the answer to session/close", client.call("session/close", { sessionId }));
    expect(result).toEqual({});
    expect((await answer).result).toEqual({ stopReason: "cancelled" });
    const { error } = await client.call("session/prompt", { sessionId, prompt: prompt("again") });
    expect(error).toMatchObject({ code: -32002, data: { sessionId } });
    await client.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect(updatesIn(client)).toEqual([userChunk("wait")]);
  });

  it("answers a load whose session is deleted meanwhile that there is none", async () => {
    const client = await start(storedAgent());
    const sessionId = await newSession(client);
    const load = client.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect((await client.call("session/delete", { sessionId })).result).toEqual({});
    expect((await load).error).toMatchObject({ code: -32002, data: { sessionId } });
  });

  it("V19, V20: lists by pages and folder, refuses a bad cursor, and deletes sessions, also unknown ones", async () => {
    const client = await start(storedAgent());
    expect((await client.call("session/list", {})).result).toEqual({ sessions: [] });
    const ids = [];
    for (let n = 0; n < 52; n++) ids.push(await newSession(client));
    const first = (await client.call("session/list", {})).result as { sessions: unknown[]; nextCursor: string };
    const second = (await client.call("session/list", { cursor: first.nextCursor })).result as { sessions: unknown[] };
    expect([first.sessions.length, second.sessions.length]).toEqual([50, 2]);
    expect((await client.call("session/list", { cwd: "/elsewhere" })).result).toEqual({ sessions: [] });
    expect((await client.call("session/list", { cursor: "nonsense" })).error?.code).toBe(-32602);

    const [sessionId] = ids;
    expect((await client.call("session/delete", { sessionId })).result).toEqual({});
    expect((await client.call("session/delete", { sessionId: "unknown" })).result).toEqual({});
    expect((await client.call("session/load", { sessionId, cwd, mcpServers: [] })).error?.code).toBe(-32002);
  });

  it("gives a client each update once when it loads a session in the middle of its turn", async () => {
    let goOn = (): void => {};
    const halfway = new Promise<void>((resolve) => (goOn = resolve));
    const store = memorySessionStore<SessionUpdate>();
    let reachHalf = (): void => {};
    const half = new Promise<void>((resolve) => (reachHalf = resolve));
    const agent = storedAgent(store, {
      async prompt(turn) {
        for (let n = 0; n < 50; n++) void turn.text(`${n};`);
        reachHalf();
        await halfway;
        for (let n = 50; n < 100; n++) void turn.text(`${n};`);
      },
    });
    const listener = await listenAcp(agent);
    const first = await dialAcp(listener.url);
    const session = await first.newSession({ cwd });
    const turn = session.prompt("count");
    await half;
    const second = await dialAcp(listener.url);
    const loading = second.loadSession({ sessionId: session.id, cwd });
    goOn();
    const loaded = await loading;
    const said = (): string =>
      loaded.state.entries
        .map((entry) => (entry.type === "message" && entry.role === "assistant" ? entry.text : ""))
        .join("");
    await new Promise<void>((resolve) => {
      const look = (): void => (said().includes("99;") ? resolve() : undefined);
      loaded.subscribe(look);
      look();
    });
    expect(said()).toBe(Array.from({ length: 100 }, (_, n) => `${n};`).join(""));
    expect(await turn.stopReason).toBe("end_turn");
    await Promise.all([first.close(), second.close()]);
    await listener.close();
  });

  it("keeps the sessions of callers apart, also after a restart", async () => {
    const tokens: Readonly<Record<string, string>> = { "Bearer ann": "ann", "Bearer bob": "bob" };
    const store = memorySessionStore<SessionUpdate>();
    const restart = async () => {
      const listener = await listenAcp(storedAgent(store), {
        authenticate: ({ headers }) => tokens[headers.get("authorization") ?? ""],
      });
      onTestFinished(() => listener.close());
      const [ann, bob] = await Promise.all(["ann", "bob"].map((token) => dialAcp(listener.url, { token })));
      return { ann: ann as AcpClient, bob: bob as AcpClient };
    };
    const isFound = (client: AcpClient, sessionId: string): Promise<boolean> =>
      client.loadSession({ sessionId, cwd }).then(
        () => true,
        (error: unknown) => !isSessionNotFound(error),
      );
    const { ann, bob } = await restart();
    const session = await ann.newSession({ cwd });
    await textOf(session.prompt("tea"));
    expect((await ann.listSessions()).sessions).toMatchObject([{ sessionId: session.id, title: "About tea" }]);
    expect((await bob.listSessions()).sessions).toEqual([]);
    expect(await isFound(bob, session.id)).toBe(false);
    await bob.deleteSession(session.id);
    expect((await ann.listSessions()).sessions).toHaveLength(1);
    await Promise.all([ann.close(), bob.close()]);
    const later = await restart();
    expect([await isFound(later.bob, session.id), await isFound(later.ann, session.id)]).toEqual([false, true]);
    await Promise.all([later.ann.close(), later.bob.close()]);
  });

  it("sends nothing that the store does not have: a failing store ends the turn with an error", async () => {
    const store = memorySessionStore<SessionUpdate>();
    const errors: unknown[] = [];
    const [left, right] = memoryPair();
    const agent = storedAgent(store, {
      async prompt(turn) {
        await turn.text("before");
        await store.open({ sessionId: turn.session.id, caller: undefined }); // another process takes the session
        void turn.text("lost");
      },
    });
    serveAcp(left, agent, { profile: acpProfiles.v1, onError: (error) => errors.push(error) });
    const client = new RawPeer(right);
    await client.call("initialize", { protocolVersion: 1 });
    const sessionId = await newSession(client);
    const { error } = await client.call("session/prompt", { sessionId, prompt: prompt("tea") });
    expect(error).toMatchObject({ code: -32603, message: "Internal error" });
    expect(errors.some((each) => isWireError(each, "closed"))).toBe(true);
    expect(updatesIn(client)).toEqual([chunk("agent_message_chunk", "before")]);
    await client.call("session/load", { sessionId, cwd, mcpServers: [] });
    expect(updatesIn(client).slice(1)).toEqual([userChunk("tea"), chunk("agent_message_chunk", "before")]);
  });

  it("leaves out a stored update that does not fit, and reports it", async () => {
    const store = memorySessionStore<SessionUpdate>();
    const log = await store.create({ sessionId: "s1", caller: undefined }, { cwd });
    await log.append([
      { sessionUpdate: "plan", entries: "none" } as never,
      chunk("agent_message_chunk", "ok") as never,
    ]);
    const diagnostics: string[] = [];
    const [left, right] = memoryPair();
    serveAcp(left, storedAgent(store), { profile: acpProfiles.v1, onDiagnostic: ({ id }) => diagnostics.push(id) });
    const client = new RawPeer(right);
    await client.call("initialize", { protocolVersion: 1 });
    expect((await client.call("session/load", { sessionId: "s1", cwd, mcpServers: [] })).error).toBeUndefined();
    expect(updatesIn(client)).toEqual([chunk("agent_message_chunk", "ok")]);
    expect(diagnostics).toContain("stored-update-dropped");
  });

  it("aborts the signal of a session that is over", async () => {
    const signals: AbortSignal[] = [];
    const agent = storedAgent(undefined, { newSession: ({ signal }) => void signals.push(signal) });
    const [left, right] = memoryPair();
    const served = serveAcp(left, agent);
    const client = await connectAcp(right);
    const closed = await client.newSession({ cwd });
    await client.newSession({ cwd });
    await closed.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await client.close();
    await served.closed;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("serves the official SDK's client: lists, loads with replay, resumes, closes and deletes", async () => {
    const agent = storedAgent();
    const open = async () => {
      const { official, ours } = officialPair();
      serveAcp(ours, agent);
      const updates: unknown[] = [];
      const app = officialClient({ name: "official" }).onNotification(methods.client.session.update, ({ params }) => {
        updates.push(params.update);
      });
      const { agent: peer } = app.connect(official);
      const { agentCapabilities } = await peer.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
      return { peer, updates, agentCapabilities };
    };
    const first = await open();
    expect(first.agentCapabilities).toMatchObject({
      loadSession: true,
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    });
    const { sessionId } = await first.peer.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await first.peer.request(methods.agent.session.prompt, { sessionId, prompt: prompt("tea") });

    const { peer, updates } = await open();
    const { sessions } = await peer.request(methods.agent.session.list, {});
    expect(sessions).toMatchObject([{ sessionId, cwd, title: "About tea" }]);
    await peer.request(methods.agent.session.load, { sessionId, cwd, mcpServers: [] });
    expect(updates).toHaveLength(3);
    await peer.request(methods.agent.session.close, { sessionId });
    await peer.request(methods.agent.session.resume, { sessionId, cwd, mcpServers: [] });
    await peer.request(methods.agent.session.delete, { sessionId });
    expect((await peer.request(methods.agent.session.list, {})).sessions).toEqual([]);
  });
});

function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
  );
}
