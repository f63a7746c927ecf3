import { isObject } from "@editwire/core";
import type { Call } from "../../../../core/talk/call.js";
import { type AgentContext, cwd } from "../../agent-role.js";

/** The kind of an update. */
export const kindOf = (update: unknown): unknown => (isObject(update) ? update["sessionUpdate"] : undefined);

/** A configuration option, as far as its values go. */
export interface ConfigOption {
  readonly id: unknown;
  readonly current: unknown;
  /** Its values, without the groups that they are in. Empty for an option that is on or off. */
  readonly values: readonly unknown[];
}

/** The options of the result of a request. */
export function configOptionsOf(result: unknown): readonly ConfigOption[] {
  const options = isObject(result) && Array.isArray(result["configOptions"]) ? result["configOptions"] : [];
  return options.filter(isObject).map(({ id, currentValue, options: offered }) => {
    const items = Array.isArray(offered) ? offered.filter(isObject) : [];
    const values = items.flatMap((item) =>
      Array.isArray(item["options"]) ? item["options"].filter(isObject) : [item],
    );
    return { id, current: currentValue, values: values.map(({ value }) => value) };
  });
}

/** Whether the agent declares a method for sessions. */
async function hasSessionCapability(t: AgentContext, name: string): Promise<boolean> {
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["sessionCapabilities"] : undefined;
  return isObject(declared) && isObject(declared[name]);
}

/** Ends a case about a method for sessions that the agent does not declare. */
export async function needsSessionCapability(t: AgentContext, name: string): Promise<void> {
  t.needs(await hasSessionCapability(t, name), `the agent does not declare sessionCapabilities.${name}`);
}

/** A request, and the position in the trace of what came before it. */
export interface SentCall extends Call {
  readonly after: number;
}

/** Opens a session again. */
export function reopened(t: AgentContext, method: "session/load" | "session/resume", sessionId: string): SentCall {
  const after = t.now();
  return { ...t.send.request(method, { sessionId, cwd, mcpServers: [] }), after };
}

/** Loads a session. An agent may refuse to load one that is open: it is closed then, and loaded after that. */
export async function loading(t: AgentContext, sessionId: string): Promise<SentCall> {
  const load = (): SentCall => reopened(t, "session/load", sessionId);
  const first = load();
  const { error } = await first.response();
  if (error === undefined || !(await hasSessionCapability(t, "close"))) return first;
  await t.send.request("session/close", { sessionId }).response();
  return load();
}

/** The result of loading a session. */
export async function loaded(t: AgentContext, sessionId: string): Promise<Record<string, unknown>> {
  return (await loading(t, sessionId)).result();
}

/** The ways in which the agent opens a session again: each takes the session's id, and gives the answer. */
export async function reopenings(
  t: AgentContext,
): Promise<readonly ((sessionId: string) => Promise<Record<string, unknown>>)[]> {
  const { agentCapabilities } = await t.initialized();
  const loads = isObject(agentCapabilities) && agentCapabilities["loadSession"] === true;
  const resumes = await hasSessionCapability(t, "resume");
  t.needs(loads || resumes, "the agent neither loads nor resumes sessions");
  const resume = (sessionId: string) => reopened(t, "session/resume", sessionId).result();
  return [...(loads ? [(sessionId: string) => loaded(t, sessionId)] : []), ...(resumes ? [resume] : [])];
}

/** Ends a case about content that the agent does not take in prompts. */
export async function needsContent(t: AgentContext, type: unknown): Promise<void> {
  const name = { image: "image", audio: "audio", resource: "embeddedContext" }[String(type)];
  if (name === undefined) return;
  const { agentCapabilities } = await t.initialized();
  const declared = isObject(agentCapabilities) ? agentCapabilities["promptCapabilities"] : undefined;
  t.needs(isObject(declared) && declared[name] === true, `the agent does not declare promptCapabilities.${name}`);
}
