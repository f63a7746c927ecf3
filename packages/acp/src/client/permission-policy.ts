import type { PermissionOption, PermissionOptionKind } from "@editwire/acp-schema";
import { isObject } from "@editwire/core";
import { LatestMap } from "@editwire/session";
import { type AcpPermissionAnswer, type AcpPermissionHandler, ambiguityOf, rejectAll } from "./permission.js";

/** The decision of a policy about a kind of tool: an answer, or `ask`. */
export type AcpPermissionRule = PermissionOptionKind | "ask";

/** How permission requests are decided. */
export interface AcpPermissionPolicyOptions {
  /** Rules by the kind of the tool, such as `read` or `execute`. Default: every kind is asked about. */
  kinds?: Readonly<Record<string, AcpPermissionRule>> | undefined;
  /** Decides what no rule decides, as a rule by asking the user. Default: rejects. */
  ask?: AcpPermissionHandler | undefined;
}

/** Sessions whose answers are remembered; the oldest are forgotten first. */
const maxSessions = 1_000;

/**
 * A permission handler that follows rules, and remembers the answers `allow_always` and `reject_always`: they hold for
 * the tools of the same kind and name, in the same session. Tools that have neither a kind, which includes `other`, nor
 * a name are asked about each time, and so are requests where several options have the kind of a rule's answer. Create
 * one value for each client.
 */
export function permissionPolicy({
  kinds = {},
  ask = rejectAll,
}: AcpPermissionPolicyOptions = {}): AcpPermissionHandler {
  const remembered = new LatestMap<string, Map<string, Chosen>>(maxSessions);
  return async (question, context) => {
    const { sessionId, toolCall, options } = question;
    const kind = toolCall.kind ?? "other";
    const tool = JSON.stringify([kind, toolCall.name]);
    const before = remembered.get(sessionId)?.get(tool);
    const again = before && repeated(before, options);
    if (again !== undefined) return again;
    const rule = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (rule !== undefined && rule !== "ask" && ambiguityOf(rule, options) === undefined) return rule;
    const answer = await ask(question, context);
    const always = chosenBy(answer, options);
    const isKnown = kind !== "other" || toolCall.name !== undefined;
    if (isKnown && always?.kind.endsWith("_always") === true && !context.signal.aborted) {
      const answers = remembered.get(sessionId) ?? new Map<string, Chosen>();
      remembered.set(sessionId, answers.set(tool, always));
    }
    return answer;
  };
}

/** The choice of an answer; its option where the answer names one. */
interface Chosen {
  readonly kind: PermissionOptionKind;
  readonly optionId?: string | undefined;
}

/** The choice of an answer; `undefined` if it decides nothing. */
function chosenBy(given: AcpPermissionAnswer | undefined, options: readonly PermissionOption[]): Chosen | undefined {
  if (isObject(given) && "optionId" in given) return options.find(({ optionId }) => optionId === given.optionId);
  const kind = isObject(given) ? given.kind : given;
  return kind === undefined || kind === "cancelled" ? undefined : { kind };
}

/** The answer that chooses the same again: by its kind, or by its id where several options have the kind. */
function repeated({ kind, optionId }: Chosen, options: readonly PermissionOption[]): AcpPermissionAnswer | undefined {
  if (ambiguityOf(kind, options) === undefined) return kind;
  const same = options.find((option) => option.optionId === optionId && option.kind === kind);
  return same && { optionId: same.optionId };
}
