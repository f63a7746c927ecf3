import { setImmediate } from "node:timers/promises";
import type { AcpPermissionAnswer, AcpPermissionHandler } from "@editwire/acp";
import type { PermissionOption, PermissionOptionKind, RequestPermissionParams } from "@editwire/acp-schema";
import { assignKeys, type Choice, chooseByKey } from "./choices.js";
import type { Keyboard } from "./keyboard.js";
import type { Colors } from "./render/look.js";
import { oneLine } from "./render/sanitize.js";
import type { Screen } from "./screen.js";
import type { TurnView } from "./turn-view.js";

/** Who answers permission requests: the user at a keyboard, or this program, which then says why. */
export type Policy = { readonly ask: Keyboard } | { readonly answer: "allow" | "reject"; readonly reason: string };

const keys: Readonly<Record<PermissionOptionKind, string>> = {
  allow_once: "y",
  allow_always: "a",
  reject_once: "n",
  reject_always: "d",
};

/** Gives each option the key of its kind. */
export function permissionChoices(options: readonly PermissionOption[]): Choice<PermissionOption>[] {
  return assignKeys(options, ({ kind }) => keys[kind]);
}

/** The option that stands for a yes or a no, the narrower one first; none when nothing like it is offered. */
export function automaticChoice(
  options: readonly PermissionOption[],
  answer: "allow" | "reject",
): PermissionOption | undefined {
  const wanted: readonly PermissionOptionKind[] =
    answer === "allow" ? ["allow_once", "allow_always"] : ["reject_once", "reject_always"];
  return wanted.flatMap((kind) => options.filter((option) => option.kind === kind))[0];
}

/** Creates the permission handler of a session: it shows each call, then asks or answers, one request at a time. */
export function createPermissionHandler(
  policy: Policy,
  screen: Screen,
  view: TurnView,
  colors: Colors,
): AcpPermissionHandler {
  let before: Promise<unknown> = Promise.resolve();

  const decide = async (
    { toolCall, options }: RequestPermissionParams,
    signal: AbortSignal,
  ): Promise<AcpPermissionAnswer> => {
    await setImmediate(); // the events that came before the question are shown first
    await screen.drained();
    if (signal.aborted) return "cancelled";
    view.propose(toolCall);
    const [chosen, reason] =
      "ask" in policy
        ? [await chooseByKey(policy.ask, permissionChoices(options), screen, colors, signal), ""]
        : [automaticChoice(options, policy.answer), ` (${policy.reason})`];
    screen.continue([colors.dim(`  └ ${chosen === undefined ? "cancelled" : oneLine(chosen.name)}${reason}`)]);
    return chosen === undefined ? "cancelled" : { optionId: chosen.optionId };
  };

  return (request, { signal }) => {
    const answer = before.then(() => (signal.aborted ? "cancelled" : decide(request, signal)));
    before = answer.catch(() => {});
    return answer;
  };
}
