import type { Acp, AcpTraits, ClientCapabilities, PermissionOption, SessionUpdate } from "@editwire/acp-schema";
import type { Connection } from "@editwire/core";
import type { Listeners } from "@editwire/session";
import type { SessionClient } from "./session-client.js";
import { answerOf } from "../shared/confirmation.js";
import type { Demands } from "../shared/capabilities.js";

interface AgentClientParts {
  readonly connection: () => Connection<Acp, "agent">;
  readonly caller: string | undefined;
  readonly demands: Demands;
  readonly capabilities: () => ClientCapabilities;
  /** The traits of the dialect, which may be found out while the connection runs. */
  readonly traits: () => AcpTraits;
  readonly onDiagnostic: Listeners["onDiagnostic"];
  /** Tells the client that the message of a prompt is in the conversation, in a version that says so. */
  readonly inserted: SessionClient["inserted"];
}

/** The client at the other end of a connection, as sessions see it. */
export function agentClient(parts: AgentClientParts): SessionClient & { gone: boolean } {
  const { connection, caller, demands, traits, onDiagnostic } = parts;
  const capabilityOfUpdate = ({ sessionUpdate: kind }: SessionUpdate): string | undefined =>
    Object.hasOwn(traits().updateCapabilities, kind) ? traits().updateCapabilities[kind] : undefined;
  const lacks = ({ sessionUpdate }: SessionUpdate): boolean => traits().missingUpdates.includes(sessionUpdate);
  return {
    gone: false,
    caller,
    connection,
    demands,
    inserted: parts.inserted,
    get capabilities() {
      return parts.capabilities();
    },
    update(sessionId, update) {
      demands.check("session/update", capabilityOfUpdate(update));
      if (lacks(update)) {
        const message = `${update.sessionUpdate} is not sent: the client's dialect does not have it`;
        onDiagnostic({ id: "missing-update", method: "session/update", message });
        return;
      }
      const shown = shownBy(demands, traits().pendingCalls ? update : startedCall(update));
      return connection().notify("session/update", { sessionId, update: shown });
    },
    shows(update) {
      const path = capabilityOfUpdate(update);
      return !lacks(update) && (path === undefined || demands.declares(path));
    },
    request: (method, params, options) => connection().request(method, params, { ...options, settle: "now" }),
    async askPermission({ sessionId, toolCall, options, _meta }, signal) {
      const once = traits().onceOptions ? onceOf(options) : undefined;
      if (once !== undefined && once.length < options.length) {
        const message = "only allow_once and reject_once are offered: the client's dialect has no other options";
        onDiagnostic({ id: "options-not-offered", method: "session/request_permission", message });
      }
      const offered = once ?? options;
      // The specification's ids are the kinds.
      const sent = once === undefined ? [...options] : once.map((option) => ({ ...option, optionId: option.kind }));
      const { outcome, ...answer } = await connection().request(
        "session/request_permission",
        { sessionId, toolCall, options: sent, ...answerOf({ _meta }) },
        { signal, settle: "now" },
      );
      const meta = answerOf(answer);
      if (outcome.outcome === "cancelled") return { outcome: "cancelled", allowed: false, ...meta };
      const chosen = offered[sent.findIndex(({ optionId }) => optionId === outcome.optionId)];
      if (chosen === undefined) {
        const message = `The option ${outcome.optionId} was not offered`;
        onDiagnostic({ id: "option-not-offered", method: "session/request_permission", message });
        return { outcome: "cancelled", allowed: false, ...meta };
      }
      const { optionId, kind } = chosen;
      return { outcome: "selected", optionId, kind, allowed: kind.startsWith("allow"), ...meta };
    },
  };
}

/**
 * Of the options, one of each kind that decides about one call. `undefined`: a kind is not among them, or has several
 * options, which only their names tell apart.
 */
function onceOf(options: readonly PermissionOption[]): readonly PermissionOption[] | undefined {
  const [allow, ...otherAllows] = options.filter(({ kind }) => kind === "allow_once");
  const [reject, ...otherRejects] = options.filter(({ kind }) => kind === "reject_once");
  return otherAllows.length + otherRejects.length > 0 ? undefined : allow && reject && [allow, reject];
}

/** A pending call as one that runs, for dialects that have no pending ones. */
export function startedCall(update: SessionUpdate): SessionUpdate {
  if (!("status" in update) || update.status !== "pending") return update;
  if (update.sessionUpdate === "tool_call") return { ...update, status: "in_progress" };
  if (update.sessionUpdate !== "tool_call_update") return update;
  const { status: _status, ...others } = update;
  return others;
}

/** Without the options that are on or off, for a client that does not show them. */
function shownBy(demands: Demands, update: SessionUpdate): SessionUpdate {
  if (update.sessionUpdate !== "config_option_update" || demands.declares(booleanOptions)) return update;
  return { ...update, configOptions: update.configOptions.filter(({ type }) => type !== "boolean") };
}

/** The capability of a client that shows options which are on or off. */
export const booleanOptions = "session.configOptions.boolean";
