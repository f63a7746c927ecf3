import { createHash } from "node:crypto";
import { codeStatements } from "./code-statements.js";

/**
 * A statement of a spec: a table row, a list item, a sentence, or a declaration in TypeScript. Headings, labels, table heads and
 * other code are none.
 */
export interface Statement {
  /**
   * `<section>:<kind><number>`, such as `5.1:t2r1` (row 1 of table 2 in 5.1), `4:l3` or `1:s2`; for a declaration its names,
   * such as `initialize:InitializeParams.processId`.
   */
  readonly anchor: string;
  /** Whitespace-normalized, as it stands in the spec. */
  readonly text: string;
  readonly line: number;
}

/** One line of text, however the spec breaks it. */
export function normalize(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The first 16 hex digits of the SHA-256 of a normalized text. */
export function pin(text: string): string {
  return createHash("sha256").update(normalize(text)).digest("hex").slice(0, 16);
}

interface Section {
  readonly key: string;
  tables: number;
  rows: number;
  items: number;
  sentences: number;
}

/**
 * Cuts a Markdown spec into its statements. Every one gets an anchor that stays as long as nothing before it in the same
 * section changes. Sections without a number are named by their slug below the numbered one that they are in; the second of a
 * slug is `<slug>-1`, as in the links of rendered Markdown.
 */
export function statementsOf(markdown: string): Statement[] {
  const statements: Statement[] = [];
  const slugs = new Map<string, number>();
  let section = newSection("0");
  let numbered = "";
  let fence: { readonly typescript: boolean; readonly line: number; readonly lines: string[] } | undefined;
  let inTable = false;
  let item: { lines: string[]; line: number } | undefined;
  let paragraph: { lines: string[]; line: number } | undefined;

  const slugOf = (title: string): string => {
    const path = [numbered, slug(title)].filter(Boolean).join("/");
    const before = slugs.get(path) ?? 0;
    slugs.set(path, before + 1);
    return before === 0 ? path : `${path}-${before}`;
  };
  const flush = (): void => {
    if (item !== undefined)
      statements.push({
        anchor: `${section.key}:l${++section.items}`,
        text: normalize(item.lines.join(" ")),
        line: item.line,
      });
    const text = normalize(paragraph?.lines.join(" ") ?? "");
    for (const sentence of isLabel(text) ? [] : sentencesOf(text)) {
      statements.push({ anchor: `${section.key}:s${++section.sentences}`, text: sentence, line: paragraph?.line ?? 0 });
    }
    item = paragraph = undefined;
  };

  for (const [index, raw] of markdown.split(/\r?\n/).entries()) {
    const line = index + 1;
    if (/^\s*(```|~~~)/.test(raw)) {
      flush();
      if (fence?.typescript === true) statements.push(...codeStatements(fence.lines, section.key, fence.line));
      fence = fence === undefined ? { typescript: /typescript\s*$/.test(raw), line: line + 1, lines: [] } : undefined;
      continue;
    }
    if (fence !== undefined) {
      fence.lines.push(raw);
      continue;
    }
    const heading = /^(#{1,6})\s+(.*)$/.exec(raw);
    if (heading !== null) {
      flush();
      inTable = false;
      const title = heading[2] ?? "";
      const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(title)?.[1];
      if (number !== undefined) numbered = number;
      section = newSection(number ?? slugOf(title));
      continue;
    }
    if (/^\s*\|/.test(raw)) {
      flush();
      if (!inTable) {
        inTable = true;
        section.tables += 1;
        section.rows = -2; // the head and the line below it
      }
      section.rows += 1;
      if (section.rows > 0)
        statements.push({ anchor: `${section.key}:t${section.tables}r${section.rows}`, text: normalize(raw), line });
      continue;
    }
    inTable = false;
    if (raw.trim() === "" || /^\s*(-{3,}|\*{3,})\s*$/.test(raw)) {
      flush();
      continue;
    }
    const bullet = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(raw);
    if (bullet !== null) {
      flush();
      item = { lines: [bullet[1] ?? ""], line };
    } else if (item !== undefined) {
      item.lines.push(raw);
    } else {
      (paragraph ??= { lines: [], line }).lines.push(raw);
    }
  }
  flush();
  return uniquelyNamed(statements);
}

/** A paragraph that is one bold run, such as `**Request**`, or an italic one with a colon, is a heading by another name. */
function isLabel(text: string): boolean {
  return text === "" || /^\*\*[^*]+\*\*$/.test(text) || /^_[^_]+:_$/.test(text);
}

function newSection(key: string): Section {
  return { key, tables: 0, rows: 0, items: 0, sentences: 0 };
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Sentences end with `.`, `?` or `:` before a space and a capital, a backtick or bold; never inside of code. */
function sentencesOf(text: string): string[] {
  const codes: string[] = [];
  const masked = text.replace(/`[^`]*`/g, (code) => `\u0000${codes.push(code) - 1}\u0000`);
  return masked
    .split(/(?<=[.?!:])\s+(?=[A-Z*\u0000])/)
    .map((sentence) => sentence.replace(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)] ?? ""))
    .filter((sentence) => sentence !== "");
}

function uniquelyNamed(statements: readonly Statement[]): Statement[] {
  const seen = new Set<string>();
  for (const { anchor, line } of statements) {
    if (seen.has(anchor))
      throw new TypeError(`line ${line}: two sections of the spec have the same name, so ${anchor} is ambiguous`);
    seen.add(anchor);
  }
  return [...statements];
}
