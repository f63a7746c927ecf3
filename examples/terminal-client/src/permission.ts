import { setImmediate } from "node:timers/promises";
import type { PermissionAnswer, PermissionHandler } from "@editwire/acp";
import type { PermissionOption, PermissionOptionKind, RequestPermissionParams } from "@editwire/acp-schema";
import type { Keyboard } from "./keyboard.js";
import type { Colors } from "./render/look.js";
import { oneLine } from "./render/sanitize.js";
import type { Screen } from "./screen.js";
import type { TurnView } from "./turn-view.js";

/** Who answers permission requests: the user at a keyboard, or this program, which then says why. */
export type Policy = { readonly ask: Keyboard } | { readonly answer: "allow" | "reject"; readonly reason: string };

/** An option and the key that chooses it. */
export interface Choice {
  readonly key: string;
  readonly option: PermissionOption;
}

const keys: Readonly<Record<PermissionOptionKind, string>> = {
  allow_once: "y",
  allow_always: "a",
  reject_once: "n",
  reject_always: "d",
};

/** Gives each option a key: by its kind the first time, by its place (1 to 9) when that key is taken. */
export function assignKeys(options: readonly PermissionOption[]): Choice[] {
  const taken = new Set<string>();
  return options.flatMap((option, index) => {
    const key = [keys[option.kind], String(index + 1)].find(
      (candidate) => candidate.length === 1 && !taken.has(candidate),
    );
    if (key === undefined) return [];
    taken.add(key);
    return [{ key, option }];
  });
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

/** The keys and what they do, in one line where that fits. */
export function renderChoices(choices: readonly Choice[], columns: number, { bold, dim }: Colors): string[] {
  const labels = choices.map(({ key, option }) => ({
    key,
    label: oneLine(option.name).slice(0, Math.max(columns - 8, 8)),
  }));
  const items = [...labels, { key: "ctrl-c", label: "Cancel the turn" }];
  const width = items.reduce((total, { key, label }) => total + key.length + label.length + 4, 0);
  const painted = items.map(({ key, label }) => `${bold(key)} ${dim(label)}`);
  return width <= columns ? [`  ${painted.join("   ")}`] : painted.map((item) => `  ${item}`);
}

/** Creates the permission handler of a session: it shows each call, then asks or answers, one request at a time. */
export function createPermissionHandler(
  policy: Policy,
  screen: Screen,
  view: TurnView,
  colors: Colors,
): PermissionHandler {
  let before: Promise<unknown> = Promise.resolve();

  const decide = async (
    { toolCall, options }: RequestPermissionParams,
    signal: AbortSignal,
  ): Promise<PermissionAnswer> => {
    await setImmediate(); // the events that came before the question are shown first
    await screen.drained();
    if (signal.aborted) return "cancelled";
    view.propose(toolCall);
    const [chosen, reason] =
      "ask" in policy
        ? [await askAt(policy.ask, assignKeys(options), screen, colors, signal), ""]
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

/** Waits for a key that stands for an option; `undefined` when the question is withdrawn. */
async function askAt(
  keyboard: Keyboard,
  choices: readonly Choice[],
  screen: Screen,
  colors: Colors,
  signal: AbortSignal,
): Promise<PermissionOption | undefined> {
  const release = screen.pinLines(renderChoices(choices, screen.columns, colors));
  let stop = (): void => {};
  try {
    return await new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
      stop = keyboard.listen((pressed) => {
        const choice = choices.find(({ key }) => key === pressed.toLowerCase());
        if (choice !== undefined) resolve(choice.option);
      });
    });
  } finally {
    stop();
    release();
  }
}
