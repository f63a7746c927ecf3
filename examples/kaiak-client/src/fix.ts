import {
  describeFailure,
  formatDuration,
  interruptedCode,
  type Look,
  oneLine,
  plainOutput,
  plural,
  type Terminal,
  untilQuit,
} from "@editwire/example-terminal-client";
import type { KaiakClient, KaiakClientOptions, KaiakSession, KaiakStopReason } from "@editwire/kaiak";
import { dialKaiak, spawnKaiak } from "@editwire/kaiak/node";
import type { IncidentList } from "./incidents/incident-list.js";
import type { CliOptions } from "./options.js";
import type { ProgressBar } from "./progress-bar.js";
import { openQuestions } from "./questions.js";
import { createFixView } from "./view.js";

const exitCodes: Readonly<Record<KaiakStopReason, number>> = { end_turn: 0, error: 3, cancelled: interruptedCode };
const ends: Readonly<Record<KaiakStopReason, string>> = { end_turn: "done", error: "failed", cancelled: "cancelled" };

/** Incidents that one request may have. */
const mostIncidents = 1_000;

/** Milliseconds that the server has to end a cancelled run. */
const cancelGraceMs = 2_000;

/** The terminal, with the bar that it may have. */
export interface Stage extends Terminal {
  readonly bar: ProgressBar | undefined;
}

/** Has a server fix incidents, and shows it. Resolves with the exit code. */
export async function fixIncidents(list: IncidentList, options: CliOptions, stage: Stage): Promise<number> {
  const { screen, colors, interrupts } = stage;
  const questions = openQuestions(options, stage);
  let client: KaiakClient | undefined;
  try {
    screen.wait(colors.dim("connecting to the server"));
    client = await untilQuit(stage, openClient(options, stage, questions.handler));
    const { close } = client;
    interrupts.quit.addEventListener("abort", () => void close());
    const { warnings } = await untilQuit(stage, client.configure(options.configuration));
    for (const warning of warnings) screen.print("note", [colors.dim(oneLine(warning))]);
    const session = client.newSession({ sessionId: options.session });
    let stopReason: KaiakStopReason = "end_turn";
    for (let start = 0; start < list.incidents.length && stopReason === "end_turn"; start += mostIncidents) {
      const batch = { ...list, incidents: list.incidents.slice(start, start + mostIncidents) };
      stopReason = await runTurn(session, batch, options, stage);
    }
    await leave(session, stopReason, options, stage);
    return interrupts.quit.aborted ? interrupts.exitCode : exitCodes[stopReason];
  } catch (error) {
    if (interrupts.quit.aborted) return interrupts.exitCode;
    screen.print("failure", describeFailure(error, colors));
    return 1;
  } finally {
    questions.close();
    screen.wait(undefined);
    await client?.close();
  }
}

function openClient(
  { server, verbose }: CliOptions,
  { screen, colors }: Stage,
  question: KaiakClientOptions["question"],
): Promise<KaiakClient> {
  const note = (text: string): void => {
    if (verbose)
      screen.print(
        "note",
        plainOutput(text)
          .trimEnd()
          .split("\n")
          .map((line) => colors.dim(line)),
      );
  };
  const common = {
    question,
    noise: "resync",
    cancelGraceMs,
    clientInfo: { name: "editwire-kaiak-client", version: "0.0.0" },
    onDiagnostic: ({ id, message }) => note(`diagnostic ${id}: ${message}`),
    onError: (error) => note(`error: ${String(error)}`),
  } as const satisfies KaiakClientOptions & { noise: string };
  return "socket" in server
    ? dialKaiak(server.socket, common)
    : spawnKaiak(server.command, { ...common, onStderr: (text) => note(`stderr: ${text}`) });
}

async function runTurn(
  session: KaiakSession,
  { incidents, context }: IncidentList,
  options: CliOptions,
  stage: Stage,
): Promise<KaiakStopReason> {
  const { screen, colors, interrupts, bar } = stage;
  const look: Look = {
    colors,
    cwd: options.cwd,
    live: screen.live,
    get columns() {
      return screen.columns;
    },
  };
  const started = performance.now();
  const view = createFixView(screen, look, bar, options.verbose);
  screen.print("start", [`${colors.cyan("›")} ${plural(incidents.length, "incident")} in ${oneLine(options.cwd)}`]);
  const migrationContext = { ...context, ...options.context };
  const turn = session.prompt(incidents, { migrationContext, options: options.options });
  const leaveTurn = interrupts.turn(() => {
    void turn.cancel();
    setImmediate(() => view.cancel()); // below the question that this withdraws
  });
  try {
    for await (const event of turn) {
      view.show(event);
      await screen.drained();
    }
  } finally {
    leaveTurn();
    view.finish();
  }
  const stopReason = await turn.stopReason;
  const facts = [
    ends[stopReason],
    `${plural(view.changes, "change")} proposed`,
    formatDuration(performance.now() - started),
  ];
  screen.print("end", [colors.dim(facts.join(" · "))]);
  return stopReason;
}

/** Deletes the session, with the files that the server made for it, or says how to go on with it. */
async function leave(
  session: KaiakSession,
  stopReason: KaiakStopReason,
  { keep }: CliOptions,
  { screen, colors }: Stage,
): Promise<void> {
  if (keep) return screen.print("kept", [colors.dim(`the session is kept: --session ${oneLine(session.id)}`)]);
  const { cleanup_summary: summary } = await session.delete({ force: stopReason === "cancelled" });
  const { temp_files_removed: removed } = summary;
  if (removed > 0) screen.print("end", [colors.dim(`the server removed ${plural(removed, "temporary file")}`)]);
  for (const error of summary.errors) screen.print("kept", [colors.yellow(oneLine(error))]);
}
