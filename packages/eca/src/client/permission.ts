import { shown } from "@editwire/session";

/**
 * How a person, or a policy, answers. `allow_always` also allows later calls of the tool, on servers that support it.
 * The protocol has one rejection, so `reject_always` and `cancelled` mean the same as `reject_once`.
 */
export type EcaPermissionAnswer = (typeof answers)[number];

const answers = ["allow_once", "allow_always", "reject_once", "reject_always", "cancelled"] as const;

/** Returns an answer unchanged. Throws a `TypeError` for a value that is not an answer, as JavaScript can pass one. */
export function checkedAnswer(answer: EcaPermissionAnswer): EcaPermissionAnswer {
  if (answers.includes(answer)) return answer;
  throw new TypeError(`permission: expected ${answers.join(", ")}, received ${shown(answer)}`);
}

/** Says whether an answer lets the call run. */
export function allows(answer: EcaPermissionAnswer): boolean {
  return answer === "allow_once" || answer === "allow_always";
}
