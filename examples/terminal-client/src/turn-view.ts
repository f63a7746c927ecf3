import type { AcpToolCallState, AcpTurnEvent } from "@editwire/acp";
import type { ContentBlock, PlanEntry, SessionUpdate, ToolCallUpdate } from "@editwire/acp-schema";
import { CommandOutputs, type OutputOf } from "./command-output.js";
import type { Look } from "./render/look.js";
import { renderPlan } from "./render/plan.js";
import { createTextStream, oneLine } from "./render/sanitize.js";
import { describeContent } from "./render/text.js";
import {
  describeToolCall,
  isFailure,
  renderProposal,
  renderToolCallDetail,
  renderToolCallLine,
  sameDiffs,
} from "./render/tool-call.js";
import { createWrapper } from "./render/wrap.js";
import type { Screen } from "./screen.js";

/** Shows the events of a session's turns, one after the other, and those between them. */
export interface TurnView {
  /** Starts a turn: something is waited for from now on. */
  begin(): void;
  show(event: AcpTurnEvent): void;
  /** Says that the turn is being cancelled. */
  cancel(): void;
  /** Shows a call that asks for permission. */
  propose(update: ToolCallUpdate): void;
  /** Shows what is still open at the end of a turn, and says how many tool calls it had. */
  finish(): number;
}

/**
 * Creates the view of one session. `verbose` also shows echoes, commands and unknown updates. `outputOf` returns what a
 * terminal of this client has shown.
 */
export function createTurnView(screen: Screen, look: Look, verbose: boolean, outputOf?: OutputOf): TurnView {
  const { dim, italic } = look.colors;
  const open = new Map<string, AcpToolCallState>();
  const seen = new Set<string>();
  const ended = new Set<string>();
  const proposed = new Map<string, AcpToolCallState>();
  const commands = new CommandOutputs(outputOf);
  let stream: ReturnType<typeof openStream> | undefined;
  let plan: readonly PlanEntry[] | undefined;
  let phase: "rest" | "running" | "cancelling" = "rest";

  const openStream = (section: string, paint: (line: string) => string) => {
    const safe = createTextStream();
    const wrapped = createWrapper(() => (screen.live ? look.columns : Number.POSITIVE_INFINITY));
    return {
      section,
      push: (chunk: string) => screen.stream(section, wrapped.push(safe.push(chunk)), paint),
      end: () => screen.stream(section, wrapped.push(safe.end()) + wrapped.end(), paint),
    };
  };
  const endStream = (): void => {
    stream?.end();
    stream = undefined;
  };
  const text = (section: string, chunk: string, paint: (line: string) => string): void => {
    if (stream?.section !== section) endStream();
    stream ??= openStream(section, paint);
    stream.push(chunk);
  };
  const note = (line: string): void => screen.print("note", [dim(line)]);
  const aside = (line: () => string): void => (verbose ? note(line()) : undefined);

  const end = (call: AcpToolCallState): void => {
    ended.add(call.toolCallId);
    open.delete(call.toolCallId);
    const before = proposed.get(call.toolCallId);
    const withDiffs = before === undefined || !sameDiffs(before, call);
    const lines = [renderToolCallLine(call, look), ...renderToolCallDetail(call, look, { withDiffs })];
    screen.print(before === undefined ? "tools" : questionSection(call), lines);
  };
  const toolCall = (told: AcpToolCallState, update: SessionUpdate): void => {
    commands.add(told.toolCallId, update);
    const call = commands.shown(told);
    seen.add(call.toolCallId);
    if (ended.has(call.toolCallId)) return;
    if (call.status === "completed" || isFailure(call.status)) end(call);
    else open.set(call.toolCallId, call);
  };
  const waitLabel = (): string => {
    if (phase === "cancelling") return dim("waiting for the agent to stop; Ctrl-C ends it");
    const calls = [...open.values()];
    const [first] = calls;
    if (first === undefined) return dim("working");
    return `${describeToolCall(first, look)}${calls.length > 1 ? dim(`  and ${calls.length - 1} more`) : ""}`;
  };

  const show = (event: AcpTurnEvent): void => {
    switch (event.type) {
      case "text":
        return text("text", event.text, (line) => line);
      case "thought":
        return text("thought", event.text, (line) => dim(italic(line)));
      case "content":
        return screen.print("content", [dim(describeContent(event.content))]);
      case "tool_call":
        return toolCall(event.toolCall, event.update);
      case "plan": {
        screen.print("plan", renderPlan(event.entries, plan, look));
        plan = event.entries;
        return;
      }
      case "commands":
        return aside(() => `commands: ${event.commands.map(({ name }) => oneLine(name)).join(", ")}`);
      case "user":
        return aside(() => `echo: ${echoed(event.content)}`);
      case "unknown":
        return aside(() => `unknown update: ${oneLine(JSON.stringify(event.update)).slice(0, 300)}`);
      case "mode":
      case "stop":
        return;
    }
  };

  return {
    begin() {
      phase = "running";
      screen.wait(waitLabel());
    },
    show(event) {
      if (event.type !== "text" && event.type !== "thought") endStream();
      show(event);
      if (phase !== "rest") screen.wait(waitLabel());
    },
    cancel() {
      if (phase !== "running") return;
      phase = "cancelling";
      endStream();
      note("cancelling …");
      screen.wait(waitLabel());
    },
    propose(update) {
      endStream();
      const call = completed(update, open.get(update.toolCallId));
      screen.print(questionSection(call), [`${look.colors.yellow("?")} ${renderProposal(call, look).join("\n")}`]);
      proposed.set(call.toolCallId, call);
    },
    finish() {
      endStream();
      phase = "rest";
      screen.wait(undefined);
      for (const call of [...open.values()]) end(call);
      const count = seen.size;
      seen.clear();
      ended.clear();
      proposed.clear();
      commands.clear();
      plan = undefined;
      return count;
    },
  };
}

/** The result of a call that was asked about stands right below the answer. */
function questionSection({ toolCallId }: AcpToolCallState): string {
  return `question ${toolCallId}`;
}

/** A permission request names a call by its id and repeats what it likes; the rest is known from the call's updates. */
function completed(update: ToolCallUpdate, known: AcpToolCallState | undefined): AcpToolCallState {
  return {
    toolCallId: update.toolCallId,
    title: update.title ?? known?.title ?? update.toolCallId,
    status: update.status ?? known?.status ?? "pending",
    kind: update.kind ?? known?.kind,
    content: update.content ?? known?.content ?? [],
    locations: update.locations ?? known?.locations ?? [],
    rawInput: update.rawInput ?? known?.rawInput,
    rawOutput: known?.rawOutput,
  };
}

const echoed = (content: ContentBlock): string =>
  content.type === "text" ? oneLine(String(content.text)) : describeContent(content);
