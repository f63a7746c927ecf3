import { isObject } from "@editwire/core";
import type { Call } from "../../../../core/talk/call.js";
import type { Case } from "../../../../core/run/case.js";
import { textOfChunks } from "./chunks.js";
import { loaded } from "./v1-facts.js";
import { secondWorkspace } from "../../../../core/run/workspace.js";
import { defineCases, type AgentContext, cwd, type TestSession } from "../../agent-role.js";

/** A server of MCP without tools. An agent may wait for its server before it answers. */
const mcpServer = `
  let held = "";
  process.stdin.setEncoding("utf8").on("data", (chunk) => {
    const lines = (held + chunk).split("\\n");
    held = lines.pop();
    lines.forEach(take);
  });
  const take = (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined || method === undefined) return;
    const serverInfo = { name: "nothing", version: "1.0.0" };
    const start = () => ({ protocolVersion: params.protocolVersion, capabilities: {}, serverInfo });
    const answer = { initialize: start, ping: () => ({}) }[method];
    const error = { code: -32601, message: "Method not found" };
    console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(answer ? { result: answer() } : { error }) }));
  };
`;

const stdioServer = {
  type: "stdio",
  name: "nothing",
  command: process.execPath,
  args: ["-e", mcpServer],
  env: [
    { name: "A", value: "b" },
    { name: "EMPTY", value: "" },
  ],
};
const remote = (type: string) => ({ type, name: "remote", url: "http://127.0.0.1:9/mcp", headers: [] });

/** Sends a request that the specification's own dialect does not have. */
const sent = (t: AgentContext, method: string, params: Record<string, unknown>): Call =>
  t.send.invalid({ jsonrpc: "2.0", id: t.conversation.freshId(), method, params });

/** A request that is wrong on purpose must be refused. No sentence of the specification says with which code. */
async function refused(t: AgentContext, req: string, method: string, params: Record<string, unknown>): Promise<void> {
  await t.require(req, sent(t, method, params).error());
}

/** The agent's memory of the messages in a session. */
export async function recalled(t: AgentContext, session: TestSession): Promise<string> {
  const turn = t.prompt(session, t.say("recall"));
  const before = turn.updates().length;
  await turn.result(undefined, { deadline: 60_000 });
  const said = textOfChunks(turn.updates().slice(before));
  t.needs(said.trim() !== t.say("recall"), "the agent does not know the behavior recall");
  return said;
}

/** A session with a message that has a secret. */
export async function confided(t: AgentContext): Promise<{ readonly session: TestSession; readonly secret: string }> {
  const session = await t.session();
  const secret = `secret-${t.now()}`;
  await t.prompt(session, t.say("text", { text: secret })).result(undefined, { deadline: 60_000 });
  return { session, secret };
}

const openCases = defineCases({
  "session.new": {
    title: "session/new returns a session id",
    emits: ["ACP-SESSION-001"],
    smoke: true,
    async run(t) {
      await t.initialized();
      const result = await t.require(
        "ACP-SESSION-001",
        // An agent may start programs of its own for its first session.
        t.send.request("session/new", { cwd, mcpServers: [] }).result(undefined, { deadline: 20_000 }),
      );
      t.check("ACP-SESSION-001", typeof result["sessionId"] === "string" && result["sessionId"] !== "", {
        expected: "a sessionId",
        actual: result,
      });
    },
  },
  "session.unique": {
    title: "every session/new returns a new id, in any folder",
    emits: ["ACP-SESSION-001", "ACP-SESSION-002"],
    async run(t) {
      const first = await t.session();
      const elsewhere = await t.require("ACP-SESSION-001", t.session({ cwd: secondWorkspace }));
      const ids = [first.id, elsewhere.id, (await t.session()).id];
      t.check("ACP-SESSION-002", new Set(ids).size === ids.length, { expected: "different ids", actual: ids });
    },
  },
  "session.cwd": {
    title: "session/new without an absolute cwd is refused",
    emits: ["ACP-SESSION-003"],
    async run(t) {
      await t.initialized();
      await refused(t, "ACP-SESSION-003", "session/new", { mcpServers: [] });
      await refused(t, "ACP-SESSION-003", "session/new", { cwd: "src", mcpServers: [] });
      await refused(t, "ACP-SESSION-003", "session/new", { cwd: "./src", mcpServers: [] });
      await refused(t, "ACP-SESSION-003", "session/new", { cwd: "", mcpServers: [] });
    },
  },
  "session.memory": {
    title: "a session remembers its messages from before a cancelled turn, and none of another session",
    emits: ["ACP-SESSION-013"],
    needs: ["text", "slow", "recall"],
    async run(t) {
      await t.initialized();
      const own = await confided(t);
      const other = { session: await t.session(), secret: `other-${t.now()}` };
      const blocks = ["Remember this: ", other.secret].map((text) => ({ type: "text", text }));
      await t.prompt(other.session, blocks).response({ deadline: 60_000 });
      const sessionId = own.session.id;
      const turn = t.prompt(own.session, t.say("slow"));
      await t.expect.notify("session/update", { sessionId, update: { sessionUpdate: "agent_message_chunk" } });
      t.send.notify("session/cancel", { sessionId });
      await turn.response();
      const known = await recalled(t, own.session);
      t.check("ACP-SESSION-013", known.includes(own.secret), { expected: "what the user said before", actual: known });
      const beside = await recalled(t, other.session);
      t.check("ACP-SESSION-013", beside.includes(other.secret), { expected: "every text of a prompt", actual: beside });
      const unused = await recalled(t, await t.session());
      const isOwn = !known.includes(other.secret) && ![beside, unused].join("").includes(own.secret);
      const actual = { own: known, other: beside, unused };
      t.check("ACP-SESSION-013", isOwn, { expected: "nothing of another session", actual });
    },
  },
  "session.no-mcp-servers": {
    title: "session/new without mcpServers is refused",
    emits: ["ACP-SESSION-004"],
    async run(t) {
      await t.initialized();
      await refused(t, "ACP-SESSION-004", "session/new", { cwd });
    },
  },
});

const loadCases = defineCases({
  "session.load": {
    title: "session/load reopens a session",
    emits: ["ACP-SESSION-005", "ACP-SESSION-002"],
    async run(t) {
      await needsLoad(t);
      const session = await t.session();
      // Agents keep a session from its first turn on. They may report on it again.
      await t.prompt(session, t.say("text")).result(undefined, { deadline: 60_000 });
      await t.require("ACP-SESSION-005", loaded(t, session.id));
      const { id } = await t.session();
      t.check("ACP-SESSION-002", id !== session.id, { expected: "an id that is not the loaded one", actual: id });
      await t.require("ACP-SESSION-005", loaded(t, session.id));
      const turn = t.prompt(session, t.say("text", { text: "loaded" }));
      await t.require("ACP-SESSION-005", turn.result(undefined, { deadline: 60_000 }));
      const said = textOfChunks(turn.updates());
      t.check("ACP-SESSION-005", said.split("loaded").length === 2, { expected: "loaded, said once", actual: said });
    },
  },
  "session.load-memory": {
    title: "a loaded session remembers its messages",
    emits: ["ACP-SESSION-014"],
    needs: ["text", "recall"],
    async run(t) {
      await needsLoad(t);
      const { session, secret } = await confided(t);
      await loaded(t, session.id);
      const said = await recalled(t, session);
      t.check("ACP-SESSION-014", said.includes(secret), { expected: "what the user said before", actual: said });
    },
  },
  "session.load-unknown": {
    title: "session/load of an unknown session is refused",
    emits: ["ACP-SESSION-006"],
    async run(t) {
      await needsLoad(t);
      await t.require(
        "ACP-SESSION-006",
        t.send.request("session/load", { sessionId: "no-such-session", cwd, mcpServers: [] }).error(),
      );
    },
  },
  "session.load-params": {
    title: "session/load without an absolute cwd or without mcpServers is refused",
    emits: ["ACP-SESSION-007"],
    async run(t) {
      await needsLoad(t);
      const { id: sessionId } = await t.session();
      await refused(t, "ACP-SESSION-007", "session/load", { sessionId, mcpServers: [] });
      await refused(t, "ACP-SESSION-007", "session/load", { sessionId, cwd: "src", mcpServers: [] });
      await refused(t, "ACP-SESSION-007", "session/load", { sessionId, cwd });
    },
  },
});

/** The case does not apply to an agent that loads no sessions. */
export async function needsLoad(t: AgentContext): Promise<void> {
  const { agentCapabilities } = await t.initialized();
  t.needs(
    isObject(agentCapabilities) && agentCapabilities["loadSession"] === true,
    "the agent does not load sessions (loadSession)",
  );
}

const mcpCases = defineCases({
  ...defineCases.each(["http", "sse"], (type) => ({
    [`session.mcp-${type}`]: {
      title: `an MCP server of the type ${type} is refused`,
      emits: ["ACP-MCP-001"],
      async run(t) {
        await t.initialized();
        const params = { cwd, mcpServers: [remote(type)] };
        await t.require("ACP-MCP-001", t.send.request("session/new", params).error());
        const mixed = { cwd, mcpServers: [stdioServer, remote(type)] };
        await t.require("ACP-MCP-001", t.send.request("session/new", mixed).error());
        const { agentCapabilities } = await t.initialized();
        if (!isObject(agentCapabilities) || agentCapabilities["loadSession"] !== true) return;
        const { id: sessionId } = await t.session();
        await t.require("ACP-MCP-001", t.send.request("session/load", { sessionId, ...params }).error());
      },
    },
  })),
  "session.mcp-stdio": {
    title: "MCP servers of the type stdio are accepted: one, and two of which one has no variables",
    emits: ["ACP-MCP-002"],
    async run(t) {
      // An agent that opens no session at all is judged elsewhere.
      await t.session();
      for (const mcpServers of [[stdioServer], [stdioServer, { ...stdioServer, name: "another", env: [] }]])
        await t.require("ACP-MCP-002", t.send.request("session/new", { cwd, mcpServers }).result());
    },
  },
  "session.mcp-untyped": {
    title: "an MCP server without a type is one over stdio",
    emits: ["ACP-MCP-004"],
    async run(t) {
      await t.session();
      const { type: _none, ...untyped } = stdioServer;
      await t.require("ACP-MCP-004", sent(t, "session/new", { cwd, mcpServers: [untyped] }).result());
    },
  },
  "session.mcp-without-url": {
    title: "an MCP server of a remote type that lacks its url is refused",
    emits: ["ACP-ROBUST-001", "ACP-RPC-023"],
    run: (t) =>
      refusesServers(
        t,
        ["http", "sse"].map((type) => ({ type, name: "remote", headers: [] })),
      ),
  },
  // It has no command, so it is not one over stdio to an agent that ignores the type.
  "session.mcp-other-type": {
    title: "an MCP server of a type that does not exist is refused",
    emits: ["ACP-ROBUST-001", "ACP-RPC-023"],
    run: (t) =>
      refusesServers(
        t,
        ["no-such-type", 7].map((type) => ({ ...remote("http"), type })),
      ),
  },
});

/** Sends each malformed MCP server alone: it should be refused, and the agent must go on. */
async function refusesServers(t: AgentContext, servers: readonly Record<string, unknown>[]): Promise<void> {
  // An agent that opens no session at all refuses it for another reason.
  await t.session();
  for (const server of servers) {
    const call = sent(t, "session/new", { cwd, mcpServers: [server] });
    const answer = await t.require("ACP-ROBUST-001", call.response());
    const isRefused = isObject(answer) && isObject(answer["error"]);
    t.check("ACP-RPC-023", isRefused, { expected: "an error for session/new", actual: answer });
  }
  await t.require("ACP-ROBUST-001", t.alive());
}

/** Sections 5.3, 5.4 and 10: opening sessions and taking them up again. */
export const sessionCases: readonly Case[] = [...openCases, ...loadCases, ...mcpCases];
