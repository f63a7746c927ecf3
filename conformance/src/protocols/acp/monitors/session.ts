import { isObject } from "@editwire/core";
import { defineMonitor, type SeenMessage } from "../../../core/talk/monitor.js";
import { methodsFrom, namesSession, opensSession, restoresSession } from "../samples.js";
import { isAbsolute, openedSession, textOf, updateOf } from "./fields.js";
import { idKey } from "../../../core/talk/message.js";
import type { MessageEntry } from "../../../trace/trace.js";

/** An update of a session. */
interface Report {
  readonly sessionId: string;
  readonly entry: MessageEntry;
}

/** An agent reports only sessions that the client knows, or learns of by an answer that it waits for. */
export const knownSessionMonitor = defineMonitor(
  {
    id: "acp.session.known-to-client",
    title: "an update names a session that the client knows",
    req: ["ACP-UPDATE-006"],
    role: "agent",
  },
  (api) => {
    const known = new Set<string>();
    /** The requests for new sessions that are not answered. */
    const opening = new Set<unknown>();
    let early: Report[] = [];
    const judge = ({ sessionId, entry }: Report): void =>
      void api.require("ACP-UPDATE-006", known.has(sessionId), entry, {
        message: `an update of ${JSON.stringify(sessionId)}, which the client does not know`,
        expected: "a session that was opened",
        actual: entry.message,
      });
    return {
      message(seen) {
        const { from, is, answers, entry } = seen;
        if (from === "suite" && is.kind === "request" && is.method === "session/new") opening.add(idKey(is.id));
        if (answers?.method === "session/new") opening.delete(idKey(answers.id));
        const opened = openedSession(seen);
        if (opened !== undefined) known.add(opened);
        const isEarly = ({ sessionId }: Report): boolean => opening.size > 0 && !known.has(sessionId);
        for (const report of early) if (!isEarly(report)) judge(report);
        early = early.filter(isEarly);
        // A load names its session before it is answered, and may be answered after the session's history. A recording
        // may begin after its sessions were opened.
        if (from === "suite" && is.kind === "request" && (restoresSession(is.method) || api.transport === "trace"))
          known.add(textOf(is.params, "sessionId"));
        const found = updateOf(seen);
        if (found === undefined) return;
        const report = { sessionId: found.sessionId, entry };
        if (isEarly(report)) early.push(report);
        else judge(report);
      },
      end: () => early.forEach(judge),
    };
  },
);

/** A client names sessions that the agent opened. */
export const openedSessionMonitor = defineMonitor(
  {
    id: "acp.session.opened-by-agent",
    title: "a request names a session that the agent opened",
    req: ["ACP-SESSION-009"],
    role: "client",
  },
  (api) => {
    const open = new Set<string>();
    // A load brings back a session that this connection has not opened.
    const named = new Set(
      [...methodsFrom("client", "request"), ...methodsFrom("client", "notification")].filter(
        (method) => !restoresSession(method) && namesSession(method),
      ),
    );
    return {
      message(seen) {
        const { from, is, entry } = seen;
        const opened = openedSession(seen);
        for (const id of opened === undefined ? listedSessions(seen) : [opened]) open.add(id);
        if (from !== "target" || (is.kind !== "request" && is.kind !== "notification")) return;
        if (!named.has(is.method)) return;
        api.require("ACP-SESSION-009", open.has(textOf(is.params, "sessionId")), entry, {
          message: `${is.method} for a session that the agent did not open`,
          expected: "the id of a session",
          actual: entry.message,
        });
      },
    };
  },
);

/** The sessions that an agent lists: it opened them, perhaps on another connection. */
function listedSessions({ is, answers }: SeenMessage): string[] {
  const sessions =
    answers?.method === "session/list" && is.kind === "result" && isObject(is.result) && is.result["sessions"];
  return Array.isArray(sessions) ? sessions.map((one) => textOf(one, "sessionId")) : [];
}

/** Modes agree with themselves. */
export const modesMonitor = defineMonitor(
  {
    id: "acp.session.modes",
    title: "the current mode is one of the available ones, which have ids and names",
    req: ["ACP-MODE-001"],
    role: "agent",
  },
  (api) => ({
    message({ from, is, answers, entry }) {
      if (from !== "target" || is.kind !== "result" || !isObject(is.result)) return;
      if (!opensSession(answers?.method)) return;
      const { modes } = is.result;
      if (!isObject(modes)) return;
      const available: unknown[] = Array.isArray(modes["availableModes"]) ? modes["availableModes"] : [];
      const named = available.every((mode) => textOf(mode, "id") !== "" && textOf(mode, "name") !== "");
      const current = available.some((mode) => textOf(mode, "id") === modes["currentModeId"]);
      api.require("ACP-MODE-001", named && current, entry, {
        message: named ? "currentModeId is not among availableModes" : "a mode without an id or a name",
        expected: "modes with ids and names, the current one among them",
        actual: modes,
      });
    },
  }),
);

/** A server without a type is on stdio in the official dialect; the schemas judge whether it may lack one. */
const typeOf = (server: unknown): string =>
  isObject(server) && server["type"] === undefined ? "stdio" : textOf(server, "type");

/** MCP servers that the agent can use. */
export const mcpServersMonitor = defineMonitor(
  {
    id: "acp.session.mcp-servers",
    title: "only MCP servers are offered that the agent can use",
    req: ["ACP-MCP-003", "ACP-MCP-005"],
    role: "client",
  },
  (api) => {
    const usable = new Set(["stdio"]);
    return {
      message({ from, is, answers, entry }) {
        if (from === "suite" && is.kind === "result" && answers?.method === "initialize" && isObject(is.result)) {
          const capabilities = isObject(is.result["agentCapabilities"])
            ? is.result["agentCapabilities"]["mcpCapabilities"]
            : undefined;
          for (const type of ["http", "sse"])
            if (isObject(capabilities) && capabilities[type] === true) usable.add(type);
        }
        if (
          from !== "target" ||
          is.kind !== "request" ||
          !isObject(is.params) ||
          !Array.isArray(is.params["mcpServers"])
        )
          return;
        const servers = is.params["mcpServers"] as unknown[];
        const other = servers.find((server) => !usable.has(typeOf(server)));
        api.require("ACP-MCP-003", other === undefined, entry, {
          message: "an MCP server that the agent cannot use",
          expected: [...usable].join(" or "),
          actual: other,
        });
        const onStdio = servers.filter(isObject).filter((server) => typeOf(server) === "stdio");
        const relative = onStdio.find(({ command }) => typeof command === "string" && !isAbsolute(command));
        api.require("ACP-MCP-005", relative === undefined, entry, {
          message: "the command of an MCP server is not an absolute path",
          expected: "an absolute path",
          actual: relative,
        });
      },
    };
  },
);
