import { isDeepStrictEqual } from "node:util";
import type { AcpToolCallState } from "@editwire/acp";
import type { ContentBlock, ToolCallContent, ToolCallDiff } from "@editwire/acp-schema";
import { compare, type Comparison, type FileDiff, renderCounts, renderDiffHeader, renderHunks } from "./diff.js";
import { displayPath, fit, indentDetail, type Look } from "./look.js";
import { escapeControls, oneLine, plainOutput } from "./sanitize.js";
import { describeContent } from "./text.js";

const excerptLines = 6;
const maxDiffLines = 80;
const maxProposalLines = 200;
const kindWidth = 8;
const longestTitle = 2000;

const comparisons = new WeakMap<ToolCallDiff, Comparison>();

/** The diffs that a tool call carries. Each is compared once, however often its call is shown. */
function diffsOf(content: readonly ToolCallContent[]): { readonly diff: FileDiff; readonly comparison: Comparison }[] {
  const isDiff = (item: ToolCallContent): item is ToolCallDiff => item.type === "diff";
  return content.filter(isDiff).map((item) => {
    const diff = { path: item.path, oldText: item.oldText ?? undefined, newText: item.newText };
    const comparison = comparisons.get(item) ?? compare(diff);
    comparisons.set(item, comparison);
    return { diff, comparison };
  });
}

/** A tool call in one line without its status: kind, title, places, line counts. */
export function describeToolCall(call: AcpToolCallState, look: Look): string {
  const { colors } = look;
  const cut =
    call.title.length > longestTitle
      ? `${call.title.slice(0, longestTitle)} (cut: ${call.title.length} characters)`
      : call.title;
  const title = oneLine(cut);
  const places = call.locations
    .map(({ path, line }) => ({ path: displayPath(path, look), line }))
    .map(({ path, line }) => (typeof line === "number" ? `${path}:${line}` : path))
    .filter((place, index, all) => place !== "." && !title.includes(place) && all.indexOf(place) === index);
  const diffs = diffsOf(call.content).map(({ comparison }) => comparison);
  const counts = { added: sum(diffs.map(({ added }) => added)), removed: sum(diffs.map(({ removed }) => removed)) };
  return [
    colors.cyan(oneLine(call.kind ?? "other").padEnd(kindWidth)),
    title,
    ...(places.length === 0
      ? []
      : [colors.dim(places.slice(0, 3).join(", ") + (places.length > 3 ? ` and ${places.length - 3} more` : ""))]),
    ...(diffs.length === 0 ? [] : [renderCounts(counts, look)]),
  ].join("  ");
}

/** The call's one line, as it stands now. */
export function renderToolCallLine(call: AcpToolCallState, look: Look): string {
  return fit(`${symbolOf(call, look)} ${describeToolCall(call, look)}`, look);
}

/** Tells whether two states of a call carry the same diffs. */
export function sameDiffs(a: Pick<AcpToolCallState, "content">, b: Pick<AcpToolCallState, "content">): boolean {
  const files = ({ content }: Pick<AcpToolCallState, "content">): FileDiff[] =>
    diffsOf(content).map(({ diff }) => diff);
  return isDeepStrictEqual(files(a), files(b));
}

/** The lines under a call: its diffs, unless they have been shown, and an excerpt of what it put out. */
export function renderToolCallDetail(
  call: AcpToolCallState,
  look: Look,
  { withDiffs }: { withDiffs: boolean },
): string[] {
  return indentDetail([...(withDiffs ? renderDiffs(call, look, maxDiffLines) : []), ...renderOutput(call, look)], look);
}

function renderDiffs(call: AcpToolCallState, look: Look, maxLines: number): string[] {
  const diffs = diffsOf(call.content);
  return diffs.flatMap(({ diff, comparison }) => {
    const known =
      diffs.length === 1 && diff.oldText !== undefined && oneLine(call.title).includes(displayPath(diff.path, look));
    return [...(known ? [] : [renderDiffHeader(diff, comparison, look)]), ...renderHunks(comparison, look, maxLines)];
  });
}

/** A call as a question shows it: its subject in full, then its diffs or else its input. Hidden lines are counted. */
export function renderProposal(call: AcpToolCallState, look: Look): string[] {
  const details =
    diffsOf(call.content).length > 0 ? renderDiffs(call, look, maxProposalLines) : renderInput(call, look);
  return [describeToolCall(call, look), ...indentDetail(details, look)];
}

function renderInput({ title, rawInput }: AcpToolCallState, look: Look): string[] {
  const { dim } = look.colors;
  const fields = typeof rawInput === "object" && rawInput !== null ? rawInput : { input: rawInput };
  const lines = Object.entries(fields).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    if (text === "" || text === title) return [];
    const [first = "", ...rest] = escapeControls(text).split("\n");
    return [`${dim(`${oneLine(name)}:`)} ${first}`, ...rest.map((line) => `  ${line}`)];
  });
  const hidden = lines.length - maxProposalLines;
  return hidden > 0 ? [...lines.slice(0, maxProposalLines), dim(`… ${hidden} more lines`)] : lines;
}

function symbolOf({ status }: AcpToolCallState, { colors }: Look): string {
  if (status === "completed") return colors.green("✓");
  if (isFailure(status)) return colors.red("✗");
  return status === "in_progress" ? colors.cyan("●") : colors.dim("○");
}

/** Commands and failures end with what matters; of anything else only its size is worth a line. */
function renderOutput(call: AcpToolCallState, look: Look): string[] {
  const lines = outputOf(call)
    .split("\n")
    .map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  while (lines[0] === "") lines.shift();
  if (lines.length === 0) return [];
  const { dim } = look.colors;
  const wanted = isFailure(call.status) || call.kind === "execute";
  if (!wanted) return lines.length <= 2 ? lines.map((line) => dim(cut(line, look))) : [dim(`${lines.length} lines`)];
  const shown = lines.slice(-excerptLines).map((line) => cut(line, look));
  const hidden = lines.length - shown.length;
  return [...(hidden > 0 ? [dim(`… ${hidden} lines above`)] : []), ...shown.map((line) => dim(line))];
}

function outputOf(call: AcpToolCallState): string {
  const texts = call.content.flatMap((item) => {
    if (item.type !== "content") return [];
    const block = item.content as ContentBlock;
    return [block.type === "text" ? plainOutput(String(block.text)) : describeContent(block)];
  });
  if (texts.length > 0) return texts.join("\n");
  return typeof call.rawOutput === "string" && (isFailure(call.status) || call.content.length === 0)
    ? plainOutput(call.rawOutput)
    : "";
}

function cut(line: string, look: Look): string {
  return fit(line.replaceAll("\t", "    "), { ...look, columns: look.columns - 4 });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** A call that did not do what it should: it failed, the user refused it, or its turn was cancelled. */
export function isFailure(status: AcpToolCallState["status"]): boolean {
  return status === "failed" || status === "rejected" || status === "cancelled";
}
