import type { AgentPermission } from "@editwire/agent";
import { InvalidArgumentError } from "commander";

const answers = ["allow_once", "reject_once"] as const;

/** How a permission is answered where nobody can be asked. */
export type Answer = (typeof answers)[number];

/** The answer to every permission request, and those for the kinds of tools that are named. */
export interface PermissionRules {
  readonly default: Answer;
  readonly kinds: ReadonlyMap<string, Answer>;
}

/** Reads `allow_once`, or rules such as `read=allow_once,search=allow_once`. The rest is rejected. */
export function parsePermission(text: string): PermissionRules {
  const kinds = new Map<string, Answer>();
  let rest: Answer = "reject_once";
  for (const rule of text.split(",").map((each) => each.trim())) {
    const [kind, answer] = rule.includes("=") ? rule.split("=", 2) : [undefined, rule];
    if (!isAnswer(answer) || kind === "")
      throw new InvalidArgumentError(
        `expected ${answers.join(" or ")}, or rules such as read=allow_once,search=allow_once; received ${rule}`,
      );
    if (kind === undefined) rest = answer;
    else kinds.set(kind, answer);
  }
  return { default: rest, kinds };
}

/** The answer of the rules to a request. */
export function answerOf({ default: rest, kinds }: PermissionRules, { toolCall }: AgentPermission): Answer {
  return kinds.get(toolCall.kind ?? "other") ?? rest;
}

function isAnswer(text: string | undefined): text is Answer {
  return answers.some((answer) => answer === text);
}
