import { setImmediate } from "node:timers/promises";
import type { AcpPermissionAnswer, AcpPermissionHandler } from "@editwire/acp";
import type { AcpParams, PermissionOption, PermissionOptionKind } from "@editwire/acp-schema";
import { assignKeys, type Choice, chooseByKey } from "./choices.js";
import type { Keyboard } from "./keyboard.js";
import type { Colors } from "./render/look.js";
import { oneLine } from "./render/sanitize.js";
import type { Screen } from "./screen.js";
import type { TurnView } from "./turn-view.js";

/**
 * Who answers permission requests: the user at a keyboard, or this program, which then says why. Where several options
 * stand for its answer, it asks at the keyboard of `unsure`; without that it chooses none.
 */
export type Policy =
  | { readonly ask: Keyboard }
  | { readonly answer: "allow" | "reject"; readonly reason: string; readonly unsure?: Keyboard | undefined };

const keys: Readonly<Record<PermissionOptionKind, string>> = {
  allow_once: "y",
  allow_always: "a",
  reject_once: "n",
  reject_always: "d",
};

/** Gives each option the key of its kind, or the number of its place where several options have the kind. */
export function permissionChoices(options: readonly PermissionOption[]): Choice<PermissionOption>[] {
  const isAlone = (kind: PermissionOptionKind): boolean =>
    options.filter((option) => option.kind === kind).length === 1;
  return assignKeys(options, ({ kind }) => (isAlone(kind) ? keys[kind] : undefined));
}

/**
 * The options that may stand for a yes or a no: those of the narrower kind, or of the wider one where the narrower is
 * not offered.
 */
export function optionsFor(
  answer: "allow" | "reject",
  options: readonly PermissionOption[],
): readonly PermissionOption[] {
  const once = options.filter(({ kind }) => kind === `${answer}_once`);
  return once.length > 0 ? once : options.filter(({ kind }) => kind === `${answer}_always`);
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
    { toolCall, options }: AcpParams<"session/request_permission">,
    signal: AbortSignal,
  ): Promise<AcpPermissionAnswer> => {
    await setImmediate(); // the events that came before the question are shown first
    await screen.drained();
    if (signal.aborted) return "cancelled";
    view.propose(toolCall);
    const [chosen, told] = await choose(options, signal);
    screen.continue([colors.dim(`  └ ${told}`)]);
    return chosen === undefined ? "cancelled" : { optionId: chosen.optionId };
  };

  /** The chosen option, and the text about the choice. */
  const choose = async (
    options: readonly PermissionOption[],
    signal: AbortSignal,
  ): Promise<[PermissionOption | undefined, string]> => {
    const meant = "ask" in policy ? [] : optionsFor(policy.answer, options);
    const keyboard = "ask" in policy ? policy.ask : meant.length > 1 ? policy.unsure : undefined;
    if (keyboard !== undefined) {
      const chosen = await chooseByKey(keyboard, permissionChoices(options), screen, colors, signal);
      return [chosen, oneLine(chosen?.name ?? "cancelled")];
    }
    const reason = "reason" in policy ? policy.reason : "";
    if (meant.length === 1) return [meant[0], `${oneLine(meant[0]?.name ?? "")} (${reason})`];
    const names = meant.map(({ name }) => `"${oneLine(name)}"`).join(" or ");
    return [undefined, `cancelled (${reason}${names === "" ? "" : `, which may mean ${names}`})`];
  };

  return (request, { signal }) => {
    const answer = before.then(() => (signal.aborted ? "cancelled" : decide(request, signal)));
    before = answer.catch(() => {});
    return answer;
  };
}
