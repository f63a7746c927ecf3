import type { PermissionOptionKind } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import { LatestMap } from "@editwire/session";
import {
  type AcpPermissionAnswer,
  type AcpPermissionHandler,
  type AcpPermissionQuestion,
  rejectAll,
} from "./client-permission.js";

/** What a policy decides about a kind of tool: an answer, or `ask`. */
export type PermissionRule = PermissionOptionKind | "ask";

/** How permission requests are decided. */
export interface PermissionPolicyOptions {
  /** Rules by the kind of the tool, such as `read` or `execute`. Default: every kind is asked about. */
  kinds?: Readonly<Record<string, PermissionRule>> | undefined;
  /** Decides what no rule decides, as a rule by asking the user. Default: rejects. */
  ask?: AcpPermissionHandler | undefined;
}

/** Sessions whose answers are remembered; the oldest are forgotten first. */
const maxSessions = 1_000;

/**
 * A permission handler that follows rules, and remembers the answers `allow_always` and `reject_always`: they hold for
 * the tools of the same kind and name, in the same session. Tools that have neither a kind, which includes `other`, nor
 * a name are asked about each time. Create one value for each client.
 */
export function permissionPolicy({ kinds = {}, ask = rejectAll }: PermissionPolicyOptions = {}): AcpPermissionHandler {
  const remembered = new LatestMap<string, Map<string, PermissionOptionKind>>(maxSessions);
  return async (question, context) => {
    const { sessionId, toolCall } = question;
    const kind = toolCall.kind ?? "other";
    const tool = JSON.stringify([kind, toolCall.name]);
    const before = remembered.get(sessionId)?.get(tool);
    if (before !== undefined) return before;
    const rule = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (rule !== undefined && rule !== "ask") return rule;
    const answer = await ask(question, context);
    const always = kindOf(answer, question);
    const isKnown = kind !== "other" || toolCall.name !== undefined;
    if (isKnown && always?.endsWith("_always") === true && !context.signal.aborted) {
      const answers = remembered.get(sessionId) ?? new Map<string, PermissionOptionKind>();
      remembered.set(sessionId, answers.set(tool, always));
    }
    return answer;
  };
}

/** The kind of an answer; `undefined` for one that decides nothing. */
function kindOf(
  given: AcpPermissionAnswer | undefined,
  { options }: AcpPermissionQuestion,
): PermissionOptionKind | undefined {
  if (isObject(given) && "optionId" in given) return options.find(({ optionId }) => optionId === given.optionId)?.kind;
  const answer = isObject(given) ? given.kind : given;
  return answer === undefined || answer === "cancelled" ? undefined : answer;
}
