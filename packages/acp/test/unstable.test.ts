import { isRemoteError, isWireError, RemoteError } from "@editwire/core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AcpAgent, AcpClientOptions } from "../src/index.js";
import { acpPair } from "../src/testing.js";
import {
  type AcpUnstableAgent,
  type AcpUnstableClientOptions,
  reportAuthStatus,
  unstableAgent,
  unstableClient,
  unstableClientOf,
  unstableSessionOf,
  unstableUpdateOf,
} from "../src/unstable.js";
import { textOf } from "./turns.js";
import { everythingUnstable } from "./unstable-agent.js";

const cwd = "/w";

async function open(
  { agent, unstable }: { agent: AcpAgent; unstable: AcpUnstableAgent },
  more: AcpUnstableClientOptions = {},
  options: AcpClientOptions = {},
) {
  const pair = await acpPair(agent, { client: unstableClient(more, options), agent: unstableAgent(unstable) });
  onTestFinished(() => pair.client.close());
  return { ...pair, more: unstableClientOf(pair.client) };
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);

const undeclared = { loadSession: false, promptCapabilities: { audio: false, image: false, embeddedContext: false } };

describe("what is unstable, between our client and our agent", () => {
  it("is declared by what is given, and by nothing else", async () => {
    const { client } = await open(everythingUnstable());
    expect(client.info.agentCapabilities).toEqual({
      ...undeclared,
      providers: {},
      mcpCapabilities: { acp: true },
      auth: { status: {} },
      sessionCapabilities: {
        list: {},
        close: {},
        systemPrompt: { mode: { override: {} } },
        fork: {},
        archive: {},
        status: {},
        title: {},
      },
    });
    const { client: bare } = await open({ agent: { prompt: async () => "end_turn" }, unstable: {} });
    expect(bare.info.agentCapabilities).toEqual(undeclared);
  });

  it("is refused here, before it is sent, when the agent does not declare it", async () => {
    const { more } = await open({ agent: { prompt: async () => "end_turn" }, unstable: {} });
    const calls: Record<string, () => Promise<unknown>> = {
      "sessionCapabilities.systemPrompt": () => more.newSession({ cwd, systemPrompt: "Be kind" }),
      "mcpCapabilities.acp": () => more.newSession({ cwd, mcpServers: [{ type: "acp", name: "a", serverId: "a" }] }),
      "sessionCapabilities.fork": () => more.forkSession({ cwd, sessionId: "s" }),
      "sessionCapabilities.archive": () => more.archiveSession("s"),
      "sessionCapabilities.status": () => more.sessionStatus("s"),
      "sessionCapabilities.title": () => more.setSessionTitle("s", "t"),
      "auth.status": () => more.authStatus(),
      providers: () => more.listProviders(),
    };
    for (const [capability, call] of Object.entries(calls)) {
      const error = await failure(call());
      expect([capability, isWireError(error, "invalid_params") && error.data]).toEqual([capability, { capability }]);
    }
    expect(isWireError(await failure(more.listSessions({ archived: "only" })), "invalid_params")).toBe(true);
  });

  it("needs a client that was opened for it", async () => {
    const { client } = await acpPair({ prompt: async () => "end_turn" });
    onTestFinished(() => client.close());
    expect(() => unstableClientOf(client)).toThrow("opened with the options of unstableClient()");
    expect(() => unstableClientOf({} as never)).toThrow("expected a client of this package");
  });

  it("streams plans by id, subagents and their messages, and the tokens of the turn", async () => {
    const { more } = await open(everythingUnstable(), { plans: true, subagents: true });
    const session = await more.newSession({ cwd });
    const turn = session.prompt("go");
    const seen: unknown[] = [];
    for await (const event of turn) if (event.type === "unknown") seen.push(unstableUpdateOf(event.update));
    expect(seen).toEqual([
      {
        sessionUpdate: "plan_update",
        plan: { type: "items", planId: "p", entries: [{ content: "a", priority: "low", status: "pending" }] },
      },
      { sessionUpdate: "plan_update", plan: { type: "markdown", planId: "q", content: "# q" } },
      { sessionUpdate: "plan_removed", planId: "p" },
      { sessionUpdate: "subagent_update", sessionId: "child", title: "Reviewer", state: { state: "running" } },
      { sessionUpdate: "session_message", messageId: "m", senderSessionId: session.id, recipientSessionId: "child" },
      { sessionUpdate: "session_message_chunk", messageId: "m", content: { type: "text", text: "Look" } },
      {
        sessionUpdate: "subagent_update",
        sessionId: "child",
        title: null,
        state: { state: "idle", stopReason: "end_turn" },
      },
    ]);
    expect(await more.usageOf(turn)).toEqual({ totalTokens: 3, inputTokens: 1, outputTokens: 2 });
  });

  it("V11: does not send updates that the client did not declare", async () => {
    const errors: unknown[] = [];
    const agent: AcpAgent = {
      async prompt({ session }) {
        const { plan, subagent } = unstableSessionOf(session);
        for (const send of [
          () => plan({ type: "markdown", planId: "p", content: "" }),
          () => subagent({ sessionId: "child" }),
        ])
          errors.push(await failure((async () => send())()));
      },
    };
    const { client } = await open({ agent, unstable: {} });
    expect(await textOf((await client.newSession({ cwd })).prompt("go"))).toBe("|end_turn");
    expect(errors).toMatchObject([{ data: { capability: "plan" } }, { data: { capability: "subagents" } }]);
  });

  it("gives a session a system prompt, and refuses one that the agent cannot use", async () => {
    const { more } = await open(everythingUnstable());
    const instructed = await more.newSession({ cwd, systemPrompt: "Be kind" });
    expect(await textOf(instructed.prompt("instructions"))).toBe("append: Be kind|end_turn");
    const content = [{ type: "text" as const, text: "Be brief" }];
    const replaced = await more.newSession({ cwd, systemPrompt: { mode: "override", content } });
    expect(await textOf(replaced.prompt("instructions"))).toBe("override: Be brief|end_turn");
    for (const systemPrompt of [
      { mode: "prepend", content },
      { mode: "append", content: [] },
      { mode: "append", content: [{ type: "image" as const, data: "aGk=", mimeType: "image/png" }] },
    ])
      expect(isRemoteError(await failure(more.newSession({ cwd, systemPrompt })), -32602)).toBe(true);
  });

  it("forks a session with its messages", async () => {
    const everything = everythingUnstable();
    const { more } = await open(everything);
    const source = await more.newSession({ cwd });
    await textOf(source.prompt("instructions"));
    const fork = await more.forkSession({ cwd: "/other", sessionId: source.id, systemPrompt: "Be kind" });
    expect(fork.id).not.toBe(source.id);
    expect(await textOf(fork.prompt("past"))).toBe("3|end_turn"); // the prompt, its answer, and this prompt
    expect(await textOf(fork.prompt("instructions"))).toBe("append: Be kind|end_turn");
    expect(await textOf(source.prompt("past"))).toBe("3|end_turn");
    expect(everything.log).toEqual(["forked another"]);
    expect(isRemoteError(await failure(more.forkSession({ cwd, sessionId: "nobody" })), -32002)).toBe(true);
  });

  it("archives a session, which ends, and names it only where it is asked for", async () => {
    const everything = everythingUnstable();
    const { more } = await open(everything);
    const { id } = await more.newSession({ cwd });
    expect(await more.sessionStatus(id)).toBe("open");
    await more.archiveSession(id);
    expect(everything.log).toEqual([`closed ${id}`]);
    expect(await more.sessionStatus(id)).toBe("saved");
    const listed = async (archived?: "exclude" | "include" | "only"): Promise<unknown> =>
      (await more.listSessions({ archived })).sessions.map((session) => session.archived);
    expect([await listed(), await listed("include"), await listed("only")]).toEqual([[], [true], [true]]);
    await more.archiveSession(id);
    await more.unarchiveSession(id);
    expect([await listed(), await listed("only")]).toEqual([[false], []]);
    const refused = more.connection.request("session/list", { archived: "never" });
    expect(isRemoteError(await failure(refused), -32602)).toBe(true);
    for (const call of [more.archiveSession("nobody"), more.unarchiveSession("nobody"), more.sessionStatus("nobody")])
      expect(await failure(call)).toMatchObject({ code: -32002, data: { sessionId: "nobody" } });
  });

  it("titles a session as the agent keeps it", async () => {
    const { more } = await open(everythingUnstable());
    const session = await more.newSession({ cwd });
    expect(await more.setSessionTitle(session.id, "  A long title  ")).toBe("A long tit");
    expect(session.state.title).toBe("A long tit");
    expect(isRemoteError(await failure(more.setSessionTitle(session.id, " ")), -32602)).toBe(true);
    expect(isRemoteError(await failure(more.setSessionTitle("nobody", "t")), -32002)).toBe(true);
  });

  it("tells who is signed in, asked and unasked, and configures providers", async () => {
    const told: unknown[] = [];
    let hear = (): void => {};
    const heard = new Promise<void>((resolve) => (hear = resolve));
    const { agent, more } = await open(everythingUnstable(), { onAuthStatus: (status) => (told.push(status), hear()) });
    expect(await more.authStatus()).toEqual({
      state: "authenticated",
      accounts: [{ label: "API key", active: true }],
    });
    await reportAuthStatus(agent, { state: "unauthenticated" });
    await heard;
    expect(told).toEqual([{ state: "unauthenticated" }]);
    await more.setProvider({ providerId: "main", apiType: "openai", baseUrl: "http://127.0.0.1", headers: { a: "b" } });
    const [main] = await more.listProviders();
    expect(main?.current).toEqual({ apiType: "openai", baseUrl: "http://127.0.0.1" });
    await more.disableProvider("main");
    expect((await more.listProviders())[0]?.current).toBeUndefined();
  });

  it("carries requests to an MCP server of the client, its notifications, results, errors and cancels", async () => {
    const answers: unknown[] = [];
    let cancelled = (): void => {};
    const wasCancelled = new Promise<void>((resolve) => (cancelled = resolve));
    const agent: AcpAgent = {
      async prompt({ session, signal }) {
        const { mcp } = unstableSessionOf(session);
        answers.push(await mcp("tools", "ping", { n: 1 }, { _meta: { traceparent: "00-1" } }));
        answers.push(await mcp("tools", "nothing"));
        answers.push(await failure(mcp("tools", "refuse")));
        answers.push(await failure(mcp("nobody", "ping")));
        const controller = new AbortController();
        const waiting = failure(
          mcp("tools", "wait", undefined, { signal: AbortSignal.any([signal, controller.signal]) }),
        );
        controller.abort();
        answers.push(await waiting);
        await wasCancelled;
      },
    };
    const notified: unknown[] = [];
    const unstable: AcpUnstableAgent = {
      acpMcpServers: true,
      handlers: { "mcp/message:notification": ({ method, params }) => void notified.push([method, params]) },
    };
    const { more } = await open(
      { agent, unstable },
      {
        mcpServers: {
          async tools({ method, params, meta, signal, notify }) {
            if (method === "refuse") throw new RemoteError(-32601, "no such tool", { method });
            if (method === "wait") return new Promise(() => signal.addEventListener("abort", () => cancelled()));
            if (method !== "ping") return undefined;
            await notify("notifications/progress", { progress: 1 });
            return { method, params, meta };
          },
        },
      },
    );
    const session = await more.newSession({ cwd, mcpServers: [{ type: "acp", name: "Tools", serverId: "tools" }] });
    expect(await textOf(session.prompt("go"))).toBe("|end_turn");
    expect(answers).toMatchObject([
      { method: "ping", params: { n: 1 }, meta: { traceparent: "00-1" } },
      null,
      { code: -32601, message: "no such tool", data: { method: "refuse" } },
      { code: -33001 },
      { code: "aborted" },
    ]);
    expect(notified).toEqual([["notifications/progress", { progress: 1 }]]);
  });
});
