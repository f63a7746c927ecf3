import { createHash } from "node:crypto";
import { codeStatements } from "./code-statements.js";
import type { Statement } from "./statement.js";

/** Options for finding the statements of a spec. */
export interface StatementOptions {
  /** Examples do, each as a whole: those in JSON (`true`), or in these languages. Default false. */
  readonly examples?: boolean | readonly string[] | undefined;
}

/** The text on one line, without the line breaks of the spec. */
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
  examples: number;
}

/** A heading that contains others. */
interface Heading {
  readonly level: number;
  readonly slug: string;
  /** The key of a section with a number. */
  readonly numbered: string | undefined;
}

/**
 * Cuts a Markdown spec into its statements. The anchor of each one stays the same as long as nothing before it in the
 * same section changes. A section without a number has the name of its slug, below the numbered section that contains
 * it. The second section with a slug is `<slug>-1`, as in the links of rendered Markdown. Throws a `TypeError` when two
 * sections get the same name. A number that an earlier part of the spec has is named below the heading that contains
 * it, as in `example-flow/1`.
 */
export function statementsOf(markdown: string, { examples = false }: StatementOptions = {}): Statement[] {
  const cutter = new Cutter(examples);
  for (const [index, text] of markdown.split(/\r?\n/).entries()) cutter.read(text, index + 1);
  return uniquelyNamed(cutter.end());
}

/** Lines of text that belong together. */
interface Block {
  readonly lines: string[];
  /** Number of its first line. */
  readonly line: number;
}

/** Reads a spec line by line. */
class Cutter {
  readonly #statements: Statement[] = [];
  readonly #slugs = new Map<string, number>();
  #section = newSection("0");
  readonly #numbers = new Set<string>();
  /** The headings that contain the line, the outermost one first. */
  #headings: Heading[] = [];
  #fence: (Block & { readonly language: string }) | undefined;
  #inTable = false;
  #item: Block | undefined;
  #paragraph: Block | undefined;
  readonly #examples: readonly string[];

  constructor(examples: boolean | readonly string[]) {
    this.#examples = examples === true ? ["json"] : examples === false ? [] : examples;
  }

  read(text: string, line: number): void {
    if (/^\s*(```|~~~)/.test(text)) return this.#readFence(text, line);
    if (this.#fence !== undefined) return void this.#fence.lines.push(text);
    const [, marks = "", title] = /^(#{1,6})\s+(.*)$/.exec(text) ?? [];
    if (/^\s*\|/.test(text)) return this.#readRow(text, line);
    this.#inTable = false;
    if (title !== undefined) return this.#readHeading(title, marks.length);
    if (text.trim() === "" || /^\s*(-{3,}|\*{3,})\s*$/.test(text)) return this.#endBlock();
    this.#readText(text, line);
  }

  /** Ends the last block, and returns all statements. */
  end(): Statement[] {
    this.#endBlock();
    return this.#statements;
  }

  #readFence(text: string, line: number): void {
    this.#endBlock();
    const section = this.#section;
    const { language, lines, line: first } = this.#fence ?? { language: "", lines: [], line };
    if (language === "typescript") this.#statements.push(...codeStatements(lines, section.key, first));
    if (this.#examples.includes(language)) {
      const anchor = `${section.key}:${language.charAt(0)}${++section.examples}`;
      this.#statements.push({ anchor, text: normalize(lines.join(" ")), line: first });
    }
    this.#fence =
      this.#fence === undefined
        ? { language: /(\w*)\s*$/.exec(text)?.[1] ?? "", line: line + 1, lines: [] }
        : undefined;
  }

  #readHeading(title: string, level: number): void {
    this.#endBlock();
    this.#headings = this.#headings.filter((one) => one.level < level);
    const inside = this.#headings.at(-1);
    const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(title)?.[1];
    const again = number !== undefined && this.#numbers.has(number) && inside !== undefined;
    const numbered = again ? `${inside.slug}/${number}` : number;
    const key = numbered ?? this.#slugOf(title);
    if (number !== undefined) this.#numbers.add(number);
    this.#headings.push({ level, slug: slug(title), numbered });
    this.#section = newSection(key);
  }

  #slugOf(title: string): string {
    const numbered = this.#headings.findLast((one) => one.numbered !== undefined)?.numbered;
    const path = [numbered, slug(title)].filter((part) => part !== undefined).join("/");
    const before = this.#slugs.get(path) ?? 0;
    this.#slugs.set(path, before + 1);
    return before === 0 ? path : `${path}-${before}`;
  }

  #readRow(text: string, line: number): void {
    this.#endBlock();
    const section = this.#section;
    if (!this.#inTable) {
      this.#inTable = true;
      section.tables += 1;
      section.rows = -2; // the head and the line below it
    }
    section.rows += 1;
    const anchor = `${section.key}:t${section.tables}r${section.rows}`;
    if (section.rows > 0) this.#statements.push({ anchor, text: normalize(text), line });
  }

  #readText(text: string, line: number): void {
    const [, bullet] = /^\s*(?:[-*+]|\d+\.)\s+(.*)$/.exec(text) ?? [];
    if (bullet !== undefined) {
      this.#endBlock();
      this.#item = { lines: [bullet], line };
    } else if (this.#item !== undefined) {
      this.#item.lines.push(text);
    } else {
      (this.#paragraph ??= { lines: [], line }).lines.push(text);
    }
  }

  /** Makes statements of the list item or the paragraph that ends here. */
  #endBlock(): void {
    const section = this.#section;
    if (this.#item !== undefined) {
      const { lines, line } = this.#item;
      this.#statements.push({ anchor: `${section.key}:l${++section.items}`, text: normalize(lines.join(" ")), line });
    }
    const { lines, line } = this.#paragraph ?? { lines: [], line: 0 };
    const paragraph = normalize(lines.join(" "));
    for (const sentence of isLabel(paragraph) ? [] : sentencesOf(paragraph))
      this.#statements.push({ anchor: `${section.key}:s${++section.sentences}`, text: sentence, line });
    this.#item = this.#paragraph = undefined;
  }
}

/**
 * A paragraph that is one bold run, such as `**Request**` or `**Request**:`, or an italic one with a colon, is a
 * heading too.
 */
function isLabel(text: string): boolean {
  return text === "" || /^\*\*[^*]+\*\*:?$/.test(text) || /^_[^_]+:_$/.test(text);
}

function newSection(key: string): Section {
  return { key, tables: 0, rows: 0, items: 0, sentences: 0, examples: 0 };
}

function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Sentences end with `.`, `?`, `!` or `:` before a space and a capital, a backtick or bold; never inside code. */
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
