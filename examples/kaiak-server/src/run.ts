import { isRemoteError } from "@editwire/core";
import { type Model, openWorkspace, type Rounds, runRounds, ToolError, toolsFor } from "@editwire/example-coding-agent";
import type { KaiakServerTurn } from "@editwire/kaiak";
import type { Backups } from "./backups.js";
import { eachOf } from "./each-of.js";
import { explaining } from "./explanations.js";
import { groupByFile, type IncidentGroup } from "./groups.js";
import { admittedBy } from "./patterns.js";
import { migrationPrompt, migrationSystemPrompt } from "./prompt.js";
import { runTool, type Tally, type Toolbox } from "./run-tool.js";

/** What the server keeps of a session. */
export interface SessionMemory {
  /** The conversation with the model. */
  readonly history: Rounds["history"];
  readonly backups: Backups;
}

/** Files that are worked on at once when the client wants that. */
const parallelFiles = 4;

/** Texts for the ends of a conversation that need a word. */
const ends: Readonly<Record<string, string>> = {
  refusal: "The model refused to work on these incidents",
  max_tokens: "The model's answer was cut off at its limit",
  max_turn_requests: "The model asked for more tools than session.max_turns allows",
};

/** Runs `generate_fix`: one conversation for each file that the incidents name. */
export async function runFix(
  turn: KaiakServerTurn,
  memory: SessionMemory,
  model: Model,
): Promise<"completed" | "failed"> {
  const { working_dir, ...patterns } = turn.configuration.workspace;
  const tally: Tally = { toolCalls: 0, refused: 0, changed: new Set(), backups: undefined };
  const stop = new AbortController();
  try {
    const workspace = await openWorkspace(working_dir, { admits: admittedBy(patterns) });
    await turn.progress({ percentage: 0, phase: "preparing", description: "Finding the files of the incidents" });
    const { groups, unreachable } = await groupByFile(turn.incidents, workspace);
    for (const { incident, reason } of unreachable)
      await turn.error({
        error_code: "WORKSPACE_ACCESS_DENIED",
        message: reason,
        details: `The incident ${incident.id} is left alone`,
        recoverable: true,
      });
    if (groups.length === 0) return "failed";
    const signal = AbortSignal.any([turn.signal, stop.signal]);
    const toolbox: Toolbox = { turn, workspace, backups: memory.backups, signal, tally };
    const width = turn.options.parallel_processing === true ? parallelFiles : 1;
    const work = async (group: IncidentGroup, index: number): Promise<void> => {
      await turn.progress(progressOf(group, index, groups.length));
      await converse(group, toolbox, memory, model, width > 1);
    };
    await eachOf(groups, width, work, () => stop.abort());
    await finish(turn, tally);
    return "completed";
  } catch (error) {
    if (turn.signal.aborted) return "failed";
    await turn.error({ ...fatal(error), recoverable: false });
    return "failed";
  }
}

function progressOf({ path, incidents }: IncidentGroup, index: number, count: number) {
  const [first] = incidents;
  return {
    percentage: Math.round(5 + (90 * index) / count),
    phase: "fixing_incidents",
    description: path ?? first?.message ?? "",
    current_step: `Processing file ${index + 1} of ${count}`,
    total_steps: count,
  };
}

/** One conversation with the model. In parallel, it starts from what the session knew before, and joins it at its end. */
async function converse(
  group: IncidentGroup,
  toolbox: Toolbox,
  memory: SessionMemory,
  model: Model,
  isParallel: boolean,
): Promise<void> {
  const { turn, signal } = toolbox;
  const { tools, session } = turn.configuration;
  const history = isParallel ? [...memory.history] : memory.history;
  const start = history.length;
  const wanted = turn.options.include_explanations ?? true;
  const end = await runRounds([{ type: "text", text: migrationPrompt(group, turn.migrationContext) }], {
    model: explaining(model, turn, { wanted, whole: isParallel }),
    maxRounds: session.max_turns ?? 1_000,
    history,
    listener: { text() {}, thought() {} },
    signal,
    system: () => migrationSystemPrompt(turn.configuration),
    tools: () => toolsFor("full").filter(({ access }) => access !== "none" || tools.planning_mode === true),
    runTool: (request) => runTool(request, toolbox),
  });
  if (isParallel) memory.history.push(...history.slice(start));
  signal.throwIfAborted();
  const word = ends[end];
  if (word !== undefined)
    await turn.error({ error_code: end.toUpperCase(), message: word, details: group.path ?? null, recoverable: true });
}

async function finish(turn: KaiakServerTurn, { changed, refused, backups }: Tally): Promise<void> {
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const kept = backups === undefined ? "" : `; the originals are in ${backups}`;
  await turn.system({
    message: `${count(changed.size, "file")} changed, ${count(refused, "tool call")} refused${kept}`,
    level: "info",
    component: "kaiak-server",
  });
  await turn.progress({ percentage: 100, phase: "completed", description: "All incidents are processed" });
}

/** What the client learns of an error that ends the run. Errors of the model are made for the user. */
function fatal(error: unknown): { error_code: string; message: string } {
  if (isRemoteError(error)) return { error_code: "MODEL_FAILED", message: error.message };
  if (error instanceof ToolError) return { error_code: "WORKSPACE_ACCESS_DENIED", message: error.message };
  throw error;
}
