import type {
  PermissionOption,
  PermissionOptionKind,
  PermissionOutcome,
  RequestPermissionParams,
} from "@editwire/acp-schema";

/** How a person, or a policy, answers: by the kind of an option, by its id, or not at all. */
export type PermissionAnswer = PermissionOptionKind | { readonly optionId: string } | "cancelled";

/** Decides about a permission request. `signal` aborts when the turn is cancelled; a later answer is then ignored. */
export type PermissionHandler = (
  request: RequestPermissionParams,
  context: { readonly signal: AbortSignal },
) => PermissionAnswer | Promise<PermissionAnswer>;

/** Rejects everything: what a client without a handler does. */
export const rejectAll: PermissionHandler = () => "reject_once";

/** Which offered kinds may stand for an answer, in order of preference: an allow is never widened. */
const substitutes: Readonly<Record<PermissionOptionKind, readonly PermissionOptionKind[]>> = {
  allow_once: ["allow_once"],
  allow_always: ["allow_always", "allow_once"],
  reject_once: ["reject_once", "reject_always"],
  reject_always: ["reject_always", "reject_once"],
};

/**
 * The outcome that an answer stands for among the offered options, chosen by kind and never by position.
 * An answer that was not offered becomes `cancelled`, so that nothing is allowed by mistake.
 */
export function outcomeOf(answer: PermissionAnswer, options: readonly PermissionOption[]): PermissionOutcome {
  const chosen =
    answer === "cancelled"
      ? undefined
      : typeof answer === "string"
        ? ofKind(answer, options)
        : options.find(({ optionId }) => optionId === answer.optionId);
  return chosen === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId: chosen.optionId };
}

function ofKind(kind: PermissionOptionKind, options: readonly PermissionOption[]): PermissionOption | undefined {
  for (const substitute of substitutes[kind]) {
    const option = options.find((offered) => offered.kind === substitute);
    if (option !== undefined) return option;
  }
  return undefined;
}
