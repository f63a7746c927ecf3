import { table } from "../table.js";
import { isObject, methodsOf } from "@editwire/core";
import { type AgentBehavior, type AgentSession, type Json, rightAgent } from "./agent-behavior.js";

/** The capabilities that the method table demands of agents for the methods which the specification lacks. */
const later = methodsOf(table).flatMap(([, { from, spec, capability }]) =>
  from === "client" && spec === undefined && capability !== undefined ? [capability.split(".")] : [],
);

function declare(capabilities: Json, [key = "", ...rest]: readonly string[]): Json {
  const inner = isObject(capabilities[key]) ? capabilities[key] : {};
  return { ...capabilities, [key]: rest.length === 0 ? {} : declare(inner, rest) };
}

/** The values of the options of a session that the client has set. */
const settings = new WeakMap<AgentSession, Json>();
const values = (...names: readonly string[]): Json[] => names.map((name) => ({ value: name, name }));

/** Every option of a session with its current value. */
export function configOptions(session: AgentSession): Json[] {
  const set = settings.get(session) ?? {};
  return [
    { id: "model", name: "Model", type: "select", currentValue: "small", options: values("small", "large") },
    { id: "effort", name: "Effort", type: "select", currentValue: "low", options: values("low", "high") },
  ].map((option) => ({ ...option, currentValue: set[option.id] ?? option.currentValue }));
}

/** The sessions of a folder, or all of them. */
function listed(sessions: ReadonlyMap<string, AgentSession>, folder: unknown): Json[] {
  const found = [...sessions.values()].filter(({ cwd }) => folder === undefined || cwd === folder);
  return found.map(({ id, cwd }) => ({ sessionId: id, cwd }));
}

/**
 * The decisions with which the reference agent speaks the official dialect: it offers the methods that the
 * specification lacks.
 */
export const v1Agent = {
  more: ["session/set_config_option"],
  uses: rightAgent.uses,
  initializeResult(params) {
    const result = rightAgent.initializeResult(params);
    if (!isObject(result) || !isObject(result["agentCapabilities"])) return result;
    return { ...result, agentCapabilities: later.reduce(declare, result["agentCapabilities"]) };
  },
  readServers: (servers) =>
    Array.isArray(servers) ? servers.map((one) => (isObject(one) ? { type: "stdio", ...one } : one)) : servers,
  newSessionResult: (session, modes) => ({
    ...(rightAgent.newSessionResult(session, modes) as Json),
    configOptions: configOptions(session),
  }),
  loadSessionResult: (session, modes) => ({
    ...(rightAgent.loadSessionResult(session, modes) as Json),
    configOptions: configOptions(session),
  }),
  replay: (history) => history,
  otherProblem: (method, params) =>
    method === "session/list" && params["cursor"] === "no-such-cursor"
      ? { code: -32602, message: "unknown cursor" }
      : rightAgent.otherProblem(method, params),
  other(method, params, session, sessions) {
    if (session !== undefined) session.isClosed = method === "session/close";
    if (method === "session/close") session?.turn?.abort();
    if (method === "session/delete" && session !== undefined) sessions.delete(session.id);
    if (method === "session/resume" && session !== undefined)
      return {
        updates: [],
        result: { modes: rightAgent.modes(session.modeId), configOptions: configOptions(session) },
      };
    if (method === "session/list") return { updates: [], result: { sessions: listed(sessions, params["cwd"]) } };
    if (method !== "session/set_config_option" || session === undefined)
      return rightAgent.other(method, params, session, sessions);
    settings.set(session, { ...settings.get(session), [String(params["configId"])]: params["value"] });
    return { updates: [], result: { configOptions: configOptions(session) } };
  },
} satisfies Partial<AgentBehavior>;
