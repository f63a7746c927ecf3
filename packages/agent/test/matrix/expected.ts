import { mapping } from "../../src/index.js";
import type { Saying, Fact } from "../../src/mapping/facts.js";
import type { Side } from "./editors.js";
import { factScripts, type ScriptedFact } from "./facts.js";

/** The form in which an editor shows a fact, at best. */
export type Arrival = "as it is" | "in another way" | "not at all";

/** The mapping's statement about one fact in one cell. */
export interface Expected {
  readonly arrives: Arrival;
  /** Who reports that it does not say the fact as it is. */
  readonly reportedBy: readonly ("agent" | "gateway")[];
}

/** The facts that a client still knows as such when a server says them in another way. */
const recognized: Readonly<Record<Side, readonly Fact[]>> = {
  "acp-spec": [],
  "acp-v1": [],
  eca: ["prompt", "content", "plan", "tool_diff", "config_options", "permission_options"],
  kaiak: ["plan", "tool_call", "permission_options"],
  "helix-zed": [],
};

/** How a side says a fact: the specification's dialect of ACP has what clients without capabilities get. */
export function sayingOf(side: Side, fact: Fact): Saying {
  // Of the modes, that is about a later list, in both dialects.
  if (side === "acp-spec" && fact !== "mode") return mapping.acp[fact].otherwise ?? mapping.acp[fact];
  return mapping[side === "acp-v1" || side === "acp-spec" ? "acp" : side][fact];
}

const arrivals = { said: "as it is", approximated: "in another way", not_said: "not at all" } as const;

/** Of the settings, a server of ECA has the model only: a client of ECA gets all of them. */
function isWhole(fact: Fact, editor: Side, agent: Side): boolean {
  return fact === "config_options" && editor === "eca" && agent === "eca";
}

/** The facts that an editor offers: an agent that asks for them reports that it has none. */
const lent: readonly Fact[] = ["editor_files", "editor_terminals"];

/** The mapping's statement about a fact, from an agent's side to an editor's. */
export function expected(fact: Fact, editor: Side, agent: Side): Expected {
  const [near, far] = [sayingOf(editor, fact).how, sayingOf(agent, fact).how];
  if (lent.includes(fact)) {
    const isLent = near === "said" && far === "said";
    return { arrives: isLent ? "as it is" : "not at all", reportedBy: isLent ? [] : ["agent"] };
  }
  const isKnown = far === "said" || (far === "approximated" && recognized[agent].includes(fact));
  const reportedBy = [
    ...(far === "said" ? [] : ["agent" as const]),
    ...(isKnown && near !== "said" && !isWhole(fact, editor, agent) ? ["gateway" as const] : []),
  ];
  if (far === "not_said") return { arrives: "not at all", reportedBy };
  if (!isKnown) return { arrives: "in another way", reportedBy };
  return { arrives: near === "said" && far === "approximated" ? "in another way" : arrivals[near], reportedBy };
}

/** The form in which an editor's lines show a fact. A better form than expected counts as the expected one. */
export function arrivalOf(fact: ScriptedFact, lines: readonly string[], atBest: Arrival): Arrival {
  const { exact, loose } = factScripts[fact];
  const isExact = exact.length > 0 && exact.every((line) => lines.includes(line));
  if (isExact && atBest === "as it is") return "as it is";
  return isExact || loose.test(lines.join("\n")) ? "in another way" : "not at all";
}
