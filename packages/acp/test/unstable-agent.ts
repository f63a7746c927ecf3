// An agent that does everything that is unstable, for the tests of both roles.
import type { ProviderInfo } from "@editwire/acp-schema/unstable";
import type { AcpAgent, AcpAgentSession } from "../src/index.js";
import { type AcpUnstableAgent, systemPromptOf, unstableSessionOf } from "../src/unstable.js";

/** The agent, with what it keeps. */
export function everythingUnstable(): { agent: AcpAgent; unstable: AcpUnstableAgent; log: string[] } {
  const log: string[] = [];
  const saved = new Map<string, { title: string; archived: boolean }>();
  let providers: ProviderInfo[] = [{ providerId: "main", supported: ["openai"], required: false }];
  const configure = (providerId: string, current?: ProviderInfo["current"]): void => {
    providers = providers.map((one) => (one.providerId === providerId ? { ...one, current } : one));
  };
  const agent: AcpAgent = {
    newSession: (session) => void saved.set(session.id, { title: "", archived: false }),
    closeSession: (session) => void log.push(`closed ${session.id}`),
    listSessions({ archived = "exclude" }) {
      const shown = [...saved].filter(
        ([, session]) => archived === "include" || session.archived === (archived === "only"),
      );
      return { sessions: shown.map(([sessionId, { archived: is }]) => ({ sessionId, cwd: "/w", archived: is })) };
    },
    async prompt(turn) {
      const { session, promptText } = turn;
      const { plan, removePlan, subagent, message, messageChunk, mcp } = unstableSessionOf(session);
      if (promptText === "instructions") return void turn.text(instructionsOf(session));
      if (promptText === "past") return void turn.text(String((await session.history()).length));
      await plan({ type: "items", planId: "p", entries: [{ content: "a", priority: "low", status: "pending" }] });
      await plan({ type: "markdown", planId: "q", content: "# q" });
      await removePlan("p");
      await subagent({ sessionId: "child", title: "Reviewer", state: { state: "running" } });
      await message({ messageId: "m", senderSessionId: session.id, recipientSessionId: "child" });
      await messageChunk("m", { type: "text", text: "Look" });
      const idle = { state: "idle" as const, stopReason: "end_turn" };
      await subagent({ sessionId: "child", title: null, state: idle });
      const [server] = session.mcpServers as readonly { serverId?: string }[];
      if (server?.serverId !== undefined) {
        const _meta = {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        };
        await turn.text(JSON.stringify(await mcp(server.serverId, "tools/call", { name: "add", _meta })));
      }
      return { stopReason: "end_turn", usage: { totalTokens: 3, inputTokens: 1, outputTokens: 2 } };
    },
  };
  const unstable: AcpUnstableAgent = {
    systemPrompt: "override",
    acpMcpServers: true,
    forkSession: (fork, source) => void log.push(`forked ${source.id === fork.id ? "itself" : "another"}`),
    archiveSession(sessionId, archived) {
      const session = saved.get(sessionId);
      if (session !== undefined) session.archived = archived;
      return session !== undefined;
    },
    isSaved: (sessionId) => saved.has(sessionId),
    setSessionTitle: (sessionId, title) => (saved.has(sessionId) ? title.trim().slice(0, 10) : undefined),
    authStatus: () => ({ state: "authenticated", accounts: [{ label: "API key", active: true }] }),
    providers: {
      list: () => providers,
      set: ({ providerId, apiType, baseUrl }) => configure(providerId, { apiType, baseUrl }),
      disable: ({ providerId }) => configure(providerId),
    },
  };
  return { agent, unstable, log };
}

function instructionsOf(session: AcpAgentSession): string {
  const { mode, content = [] } = systemPromptOf(session) ?? {};
  return `${mode}: ${content.map((block) => (block.type === "text" ? block.text : block.type)).join()}`;
}
