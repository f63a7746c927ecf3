import type { CaseDocument } from "../document.js";
import type { EntryDocument } from "../trace-document.js";
import { h } from "./dom.js";
import { byteSize, duration, plural } from "./format.js";
import { statusIcon } from "./icons.js";
import { colored, jsonView } from "./json-view.js";
import { codeBlock, copyButton, levelTag, requirementLink } from "./parts.js";
import { bytesOf, hexDump, type Piece, piecesOf } from "./raw-bytes.js";
import { routeTo } from "./router.js";
import { type TimelineRow, titleOf } from "./timeline.js";

/** Which form of a message is shown. */
export type Tab = "message" | "bytes";

/** Chunks that get a line of their own. */
const NAMED_CHUNKS = 8;

/** The actions that a reader has for the details of an entry. */
export interface DetailOptions {
  /** Key of the case, for links. */
  readonly caseKey: string;
  readonly tab: Tab;
  onTab(tab: Tab): void;
  onClose(): void;
}

/** Everything about one entry of a trace: the checks that it decided, its content, its bytes. */
export function detailView(row: TimelineRow, result: CaseDocument, options: DetailOptions): HTMLElement {
  const { entry, pins } = row;
  const hasBytes = piecesFor(entry, result) !== undefined;
  const shown: Tab = hasBytes ? options.tab : "message";
  const link = (): string => location.href.replace(/#.*/, routeTo("case", [options.caseKey, entry.seq]));
  return h(
    "section",
    { class: "detail", "aria-label": "Message" },
    headerOf(row, result, options),
    pins.map(findingView),
    hasBytes && tabsOf(entry, shown, options),
    shown === "bytes" ? bytesView(entry, result) : contentView(entry),
    h(
      "footer",
      {},
      copyButton("Copy link", link),
      entry.kind === "message" &&
        copyButton("Copy message", () => JSON.stringify(entry.message ?? entry.cut?.text, null, 2)),
    ),
  );
}

function headerOf({ entry, at }: TimelineRow, result: CaseDocument, { caseKey, onClose }: DetailOptions): HTMLElement {
  const close = h("button", { type: "button", class: "quiet", "aria-label": "Close", onclick: onClose }, "Close");
  const place = `${direction(entry)} · ${duration(at)} · entry ${entry.seq}`;
  return h(
    "header",
    {},
    h("div", { class: "detail-title" }, h("h2", {}, titleOf(entry)), close),
    h("p", { class: "dim small" }, place, relation(entry, result, caseKey)),
  );
}

/** A check that the entry decided. */
function findingView({ check, status }: TimelineRow["pins"][number]): HTMLElement {
  return h(
    "div",
    { class: `finding s-${status}` },
    h("div", { class: "finding-head" }, statusIcon(status), requirementLink(check.req), levelTag(check)),
    check.message !== undefined && h("p", {}, check.message),
    check.expected !== undefined && codeBlock("Expected", check.expected),
    check.actual !== undefined && codeBlock("Actual", check.actual),
  );
}

function tabsOf(entry: EntryDocument, shown: Tab, { onTab }: DetailOptions): HTMLElement {
  const button = (value: Tab, label: string): HTMLElement => {
    const selected = String(value === shown);
    const onclick = (): void => onTab(value);
    return h("button", { type: "button", role: "tab", class: "tab", "aria-selected": selected, onclick }, label);
  };
  return h(
    "div",
    { class: "tabs", role: "tablist" },
    button("message", entry.kind === "message" ? "JSON" : "Content"),
    button("bytes", "Bytes"),
  );
}

function direction({ from, kind }: EntryDocument): string {
  if (kind === "stderr") return "target, on stderr";
  if (kind === "event" || kind === "bytes") return from;
  return from === "suite" ? "suite → target" : from === "target" ? "target → suite" : from;
}

/** The entry that this one answers, or the answer to it. */
function relation(entry: EntryDocument, { trace = [] }: CaseDocument, caseKey: string): (Node | string)[] {
  if (entry.kind !== "message") return [];
  const { answers } = entry.reading ?? {};
  const other = trace.find((one) =>
    answers === undefined ? one.kind === "message" && one.reading?.answers === entry.seq : one.seq === answers,
  );
  if (other === undefined) return entry.reading?.kind === "request" ? [" · not answered"] : [];
  const link = h("a", { href: routeTo("case", [caseKey, other.seq]) }, `entry ${other.seq}`);
  const took = duration(Math.abs(other.at - entry.at));
  return answers === undefined ? [" · answered by ", link, ` after ${took}`] : [" · answers ", link, ` after ${took}`];
}

function contentView(entry: EntryDocument): HTMLElement {
  switch (entry.kind) {
    case "message":
      if (entry.cut === undefined) return jsonView(entry.message);
      return h(
        "div",
        {},
        h("p", { class: "dim small" }, `The first part of ${byteSize(entry.cut.size)}; SHA-256 ${entry.cut.sha256}`),
        colored(entry.cut.text),
      );
    case "malformed":
      return h("div", {}, h("p", {}, entry.problem), h("pre", { class: "code" }, entry.excerpt));
    case "stderr":
      return h("pre", { class: "code" }, entry.text);
    case "event":
      return entry.data === undefined ? h("div") : jsonView(entry.data);
    case "bytes":
      return h("pre", { class: "code" }, hexDump([wholeChunk(entry)]));
  }
}

function piecesFor(entry: EntryDocument, { trace = [] }: CaseDocument): Piece[] | undefined {
  if ((entry.kind !== "message" && entry.kind !== "malformed") || entry.bytes === undefined) return undefined;
  return piecesOf(trace, entry.from, entry.bytes);
}

function wholeChunk(entry: EntryDocument & { kind: "bytes" }): Piece {
  const bytes = bytesOf(entry);
  return { seq: entry.seq, at: entry.at, bytes, missing: entry.size - bytes.length };
}

function bytesView(entry: EntryDocument, result: CaseDocument): HTMLElement {
  const pieces = piecesFor(entry, result) ?? [];
  const total = pieces.reduce((sum, { bytes, missing }) => sum + bytes.length + missing, 0);
  const missing = pieces.reduce((sum, piece) => sum + piece.missing, 0);
  const first = pieces[0]?.at ?? 0;
  const sizes = pieces
    .slice(0, NAMED_CHUNKS)
    .map(({ bytes, at, missing: lacking }) => `${bytes.length + lacking} at +${duration(at - first)}`);
  return h(
    "div",
    {},
    h(
      "p",
      { class: "dim small" },
      `${plural(total, "byte")} in ${plural(pieces.length, "chunk")}`,
      pieces.length > 1 &&
        `: ${sizes.join(", ")}${pieces.length > NAMED_CHUNKS ? ", …" : ""}; a bar stands where a chunk begins`,
      missing > 0 && `; the report does not have ${plural(missing, "byte")} of them`,
      entry.kind === "message" &&
        entry.frame?.detail !== undefined &&
        entry.frame.detail !== "" &&
        ` · ${entry.frame.detail}`,
    ),
    h("pre", { class: "code hex" }, hexDump(pieces)),
  );
}
