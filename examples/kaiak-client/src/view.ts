import {
  createTextStream,
  createWrapper,
  indentDetail,
  type Look,
  oneLine,
  plainOutput,
  renderHunks,
  type Screen,
} from "@editwire/example-terminal-client";
import type { KaiakToolCallState, KaiakTurnEvent } from "@editwire/kaiak";
import type { ProgressBar } from "./progress-bar.js";

/** Shows the events of a run. */
export interface FixView {
  show(event: KaiakTurnEvent): void;
  /** Says that the run is being cancelled. */
  cancel(): void;
  /** Ends what is still open. */
  finish(): void;
  /** Changes that were shown. */
  readonly changes: number;
}

type Event<Type extends KaiakTurnEvent["type"]> = Extract<KaiakTurnEvent, { type: Type }>;

const maxDiffLines = 200;

/** Creates the view of one run. `bar` is there where the terminal can show one. */
export function createFixView(screen: Screen, look: Look, bar: ProgressBar | undefined, verbose: boolean): FixView {
  const { colors } = look;
  const { dim, italic, bold, red, green, yellow, cyan } = colors;
  let stream: { readonly section: string; push(chunk: string): void; end(): void } | undefined;
  let changes = 0;
  let shownPosition = "";

  const endStream = (): void => {
    stream?.end();
    stream = undefined;
  };
  const text = (section: string, chunk: string, paint: (line: string) => string): void => {
    if (stream?.section !== section) endStream();
    stream ??= openStream(screen, look, section, paint);
    stream.push(chunk);
  };
  const progress = ({ progress: { percentage, phase, description, current_step } }: Event<"progress">): void => {
    const step = [oneLine(description), ...(current_step ? [`(${oneLine(current_step)})`] : [])].join("  ");
    bar?.set(percentage);
    screen.wait(`${oneLine(phase)}: ${step}`);
    const position = `${phase} ${current_step ?? ""}`;
    if (bar !== undefined && position === shownPosition) return;
    shownPosition = position;
    screen.print("progress", [
      `${cyan(`[${String(Math.round(percentage)).padStart(3)} %]`)} ${bold(oneLine(phase))}  ${step}`,
    ]);
  };
  const toolCall = ({ toolCall: call }: Event<"tool_call">): void => {
    if (call.status === "pending" || call.status === "in_progress") return;
    const symbol = call.status === "completed" ? green("✓") : red("✗");
    const reason = call.status === "completed" ? "" : `  ${red(oneLine(call.result?.error ?? call.status))}`;
    screen.print("tools", [`${symbol} ${cyan(oneLine(call.name))}  ${oneLine(subjectOf(call))}${reason}`]);
  };
  const modification = ({ modification: change }: Event<"file_modification">): void => {
    changes++;
    const lines = plainDiff(change.diff ?? "");
    const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
    const counts = { added: count("+"), removed: count("-") };
    const facts = [change.operation, ...(change.risk_level === undefined ? [] : [`${change.risk_level} risk`])];
    const head = `${change.requires_approval ? yellow("?") : green("✎")} ${bold(oneLine(change.file_path))}`;
    screen.print(`change ${changes}`, [
      `${head}  ${green(`+${counts.added}`)} ${red(`−${counts.removed}`)}  ${dim(oneLine(facts.join(", ")))}`,
      ...indentDetail(renderHunks({ lines, ...counts, tooLarge: false }, look, maxDiffLines), look),
    ]);
  };
  const error = ({ error: fault }: Event<"error">): void => {
    const details = [fault.details, fault.suggested_action].filter((line) => line !== undefined && line !== null);
    screen.print("error", [
      `${fault.recoverable ? yellow("!") : red("✗")} ${oneLine(fault.message)} ` +
        `${dim(`(${oneLine(fault.error_code)})`)}`,
      ...details.flatMap((line) => plainOutput(line).split("\n")).map((line) => `  ${dim(line)}`),
    ]);
  };
  const system = ({ system: { level, component, message } }: Event<"system">): void => {
    if (level === "debug" && !verbose) return;
    const source = component ? `${oneLine(component)}: ` : "";
    screen.print("system", [(level === "info" || level === "debug" ? dim : yellow)(`${source}${oneLine(message)}`)]);
  };
  const show = (event: KaiakTurnEvent): void => {
    switch (event.type) {
      case "progress":
        return progress(event);
      case "text":
        return text("text", event.text, (line) => line);
      case "thought":
        return text("thought", event.text, (line) => dim(italic(line)));
      case "tool_call":
        return toolCall(event);
      case "file_modification":
        return modification(event);
      case "error":
        return error(event);
      case "system":
        return system(event);
      case "question":
      case "stop":
        return;
    }
  };

  return {
    get changes() {
      return changes;
    },
    show(event) {
      if (event.type !== "text" && event.type !== "thought") endStream();
      show(event);
      if (event.type === "text" && !event.partial) endStream();
    },
    cancel() {
      endStream();
      screen.print("note", [dim("cancelling …")]);
    },
    finish() {
      endStream();
      screen.wait(undefined);
    },
  };
}

function openStream(screen: Screen, look: Look, section: string, paint: (line: string) => string) {
  const safe = createTextStream();
  const wrapped = createWrapper(() => (screen.live ? look.columns : Number.POSITIVE_INFINITY));
  return {
    section,
    push: (chunk: string) => screen.stream(section, wrapped.push(safe.push(chunk)), paint),
    end: () => screen.stream(section, wrapped.push(safe.end()) + wrapped.end(), paint),
  };
}

/** The subject of a tool call: its file, or else its first argument. */
function subjectOf({ operation, arguments: args }: KaiakToolCallState): string {
  const { file_path: path } = args;
  const subject = typeof path === "string" ? path : (Object.values(args)[0] ?? operation);
  return typeof subject === "string" ? subject : JSON.stringify(subject);
}

/** The lines of a diff without its file header. */
function plainDiff(diff: string): string[] {
  const lines = diff.replace(/\n$/, "").split("\n");
  const start = lines.findIndex((line) => line.startsWith("@@"));
  return diff === "" ? [] : lines.slice(Math.max(start, 0));
}
