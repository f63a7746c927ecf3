import type {
  AcpParams,
  Meta,
  PermissionOption,
  PermissionOptionKind,
  PermissionOutcome,
  ToolCallUpdate,
} from "@editwire/acp-schema";
import { permissionOptionKinds } from "@editwire/acp-schema";
import type { PermissionSubject } from "@editwire/acp-schema/v2";
import { isObject } from "@editwire/core";
import { shown } from "@editwire/session";

/**
 * How a person, or a policy, answers: by the kind of an option, by its id, or not at all. As an object, the answer may
 * have a `_meta`.
 */
export type AcpPermissionAnswer =
  | PermissionOptionKind
  | "cancelled"
  | { readonly optionId: string; readonly _meta?: Meta | undefined }
  | { readonly kind: PermissionOptionKind | "cancelled"; readonly _meta?: Meta | undefined };

/** A permission request, with all that is known of its tool call. */
export interface AcpPermissionQuestion extends AcpParams<"session/request_permission"> {
  /** For users: the question's own title in version 2, else that of its tool call. */
  title?: string | undefined;
  /** More about the question, in version 2. */
  description?: string | undefined;
  /** In version 2: the tool call or the command that the question is about. */
  subject?: PermissionSubject | undefined;
  /** Merged from the updates of the call and from the request. */
  toolCall: ToolCallUpdate & { title: string };
}

/**
 * Decides about a permission request. `undefined` leaves it open for `session.answerPermission`. `signal` aborts when
 * the turn is cancelled, and a later answer is then ignored. If it throws, the call is rejected.
 */
export type AcpPermissionHandler = (
  question: AcpPermissionQuestion,
  context: { readonly signal: AbortSignal },
) => Promise<AcpPermissionAnswer | undefined>;

/** Rejects everything: the handler of a client that has none. */
export const rejectAll: AcpPermissionHandler = async () => "reject_once";

/**
 * The offered kinds that may stand for an answer, in order of preference. An `allow_once` never becomes `allow_always`.
 */
const substitutes: Readonly<Record<PermissionOptionKind, readonly PermissionOptionKind[]>> = {
  allow_once: ["allow_once"],
  allow_always: ["allow_always", "allow_once"],
  reject_once: ["reject_once", "reject_always"],
  reject_always: ["reject_always", "reject_once"],
};

/**
 * The outcome that an answer stands for among the offered options, chosen by kind and never by position. An answer that
 * was not offered becomes `cancelled`, and so does a kind that several options have: only an `optionId` tells them
 * apart. An `allow_always` or `reject_always` that several options have stands for the option that decides once. Throws
 * a `TypeError` for a value that is not an answer.
 */
export function outcomeOf(answer: AcpPermissionAnswer, options: readonly PermissionOption[]): PermissionOutcome {
  const chosen = optionOf(answer, options);
  return chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId };
}

/** Why an answer by kind selects no option, although some have the kind; `undefined` for other answers. */
export function ambiguityOf(given: AcpPermissionAnswer, options: readonly PermissionOption[]): string | undefined {
  const answer = isObject(given) && "kind" in given ? given.kind : given;
  const meant = options.filter(({ kind }) => kind === answer);
  if (meant.length < 2 || optionOf(given, options) !== undefined) return undefined;
  const names = meant.map(({ name }) => `"${name}"`).join(" or ");
  return `the answer ${String(answer)} may mean ${names}, so none of them is selected; answer with { optionId }`;
}

function optionOf(given: AcpPermissionAnswer, options: readonly PermissionOption[]): PermissionOption | undefined {
  if (isObject(given) && "optionId" in given && typeof given.optionId === "string")
    return options.find(({ optionId }) => optionId === given.optionId);
  const answer = isObject(given) && "kind" in given ? given.kind : given;
  if (answer === "cancelled") return undefined;
  if (typeof answer !== "string" || !Object.hasOwn(substitutes, answer)) {
    const expected = `${permissionOptionKinds.join(", ")}, cancelled, { optionId } or { kind }`;
    throw new TypeError(`permission: expected ${expected}, received ${shown(answer)}`);
  }
  for (const kind of substitutes[answer]) {
    const [option, ...others] = options.filter((offered) => offered.kind === kind);
    if (option !== undefined && others.length === 0) return option;
    if (option !== undefined && kind.endsWith("_once")) return undefined;
  }
  return undefined;
}
