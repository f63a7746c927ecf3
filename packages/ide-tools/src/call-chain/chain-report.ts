import { fenced, languageOf, numbered, report, ReportBuilder } from "../markdown.js";
import { linesIn } from "../text/lines.js";
import type { Wording } from "../wording/texts.js";
import type { CallGraph } from "./call-graph.js";
import { type Chain, type ChainQuery, chainsOf, isTop, type Link } from "./chain.js";
import { type CodeIndex, fullNameOf, titleOf } from "./code-index.js";
import { constructorName, type MethodFacts, simpleName } from "./facts.js";

export interface ChainReportQuery extends ChainQuery {
  /** Shows the source of each method. */
  readonly includeSource: boolean;
}

/** How chains are shown. */
export interface ChainReportOptions {
  readonly words: Wording;
  /** Characters of the report, before the note that it is cut off. */
  readonly maxChars: number;
}

/** Lines of a method's source that are shown. */
const maxSourceLines = 60;

/** Finds chains and writes the report on them. */
export function chainReport(
  graph: CallGraph,
  query: ChainReportQuery,
  { words, maxChars }: ChainReportOptions,
): string {
  const text = new ReportBuilder(maxChars);
  for (const chain of chainsOf(graph, query)) {
    text.add(sectionOf(chain, query, words));
    if (query.includeSource) addSources(text, graph.index, chain, words);
    if (text.isFull) break;
  }
  return text.text(words.cutOff);
}

function sectionOf(chain: Chain, { direction, depth }: ChainReportQuery, { chain: words }: Wording): string {
  const { method, callers, callees, isCut } = chain;
  const name = method.name === constructorName ? simpleName(method.owner.name) : method.name;
  const head = report(words.heading(titleOf(method)), [
    [words.method, `${fullNameOf(method.owner)}.${name}`],
    [words.place, `${method.owner.file.path}:${method.line}-${method.endLine}`],
    [words.direction, direction],
    [words.depth, depth],
  ]);
  return [
    head,
    ...(direction === "callees" ? [] : [`### ${words.callers}`, listOf(callers, "caller", words) || words.noCallers]),
    ...(direction === "callers" ? [] : [`### ${words.callees}`, listOf(callees, "callee", words) || words.noCallees]),
    ...(isCut ? [words.isCut] : []),
  ].join("\n\n");
}

type Role = "caller" | "callee";

function listOf(links: readonly Link[], role: Role, words: Wording["chain"], indent = ""): string {
  return links
    .map((link) => {
      const below = listOf(link.links, role, words, `${indent}  `);
      return `${indent}- ${lineOf(link, role, words)}${below === "" ? "" : `\n${below}`}`;
    })
    .join("\n");
}

/** Lines of calls that are shown of one method. */
const maxCallLines = 20;

function lineOf({ method, name, lines, isCertain }: Link, role: Role, words: Wording["chain"]): string {
  const distinct = [...new Set(lines)];
  const more = distinct.length > maxCallLines ? ", …" : "";
  const calls = words.calls(distinct.slice(0, maxCallLines).join(", ") + more);
  if (method === undefined) return `\`${name}\` (${words.outside}, ${calls})`;
  const { path } = method.owner.file;
  const title = isTop(method) ? `${method.owner.name} (${words.topLevel})` : titleOf(method);
  const doubt = isCertain ? "" : `, ${words.possible}`;
  const place = role === "caller" ? `${path}:${lines[0]}` : `${path}:${method.line}`;
  return `\`${title}\` — ${place} (${calls}${doubt})`;
}

function addSources(text: ReportBuilder, index: CodeIndex, chain: Chain, { chain: words }: Wording): void {
  text.add(`### ${words.sources}`);
  for (const method of new Set([chain.method, ...methodsIn(chain.callers), ...methodsIn(chain.callees)]))
    if (!isTop(method) && !text.isFull) text.add(sourceOf(index, method, words));
}

function methodsIn(links: readonly Link[]): MethodFacts[] {
  return links.flatMap(({ method, links: next }) => [...(method === undefined ? [] : [method]), ...methodsIn(next)]);
}

function sourceOf(index: CodeIndex, method: MethodFacts, words: Wording["chain"]): string {
  const { line, endLine, owner } = method;
  const { path } = owner.file;
  const last = Math.min(endLine, line - 1 + maxSourceLines);
  const shown: string[] = [];
  let number = 0;
  for (const { text } of linesIn(index.read(path) ?? "")) {
    if (++number > last) break;
    if (number >= line) shown.push(numbered(number, text));
  }
  const more = endLine > last ? `\n\n${words.restOfMethod(endLine - last)}` : "";
  return `#### ${titleOf(method)} — ${path}\n\n${fenced(languageOf(path), shown.join("\n"))}${more}`;
}
