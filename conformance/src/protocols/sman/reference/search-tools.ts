import { filesIn, linesOf, numbered } from "./files.js";
import type { PluginFiles } from "./plugin-files.js";
import { type Json, optionalNumber, param, ToolFailure } from "./tool-failure.js";

const config = ["properties", "yml", "yaml", "xml"];

/** A repeated repetition, which may take exponential time. */
const nested = /[+*}]\)[+*{]/;

type Matcher = (lines: readonly string[]) => readonly boolean[];

/** Finds the lines with a text or a regular expression, in one file or in all of them. */
export function grepFile(files: PluginFiles, params: Json): string {
  const pattern = param(params, "pattern", "");
  if (pattern === "") throw new ToolFailure("缺少 pattern 参数");
  const match = matcherOf(pattern, param(params, "regex", false), param(params, "case_sensitive", false));
  const context = param(params, "context_lines", 0);
  const limit = param(params, "limit", 20);
  const one = param(params, "relativePath", "");
  const type = param(params, "file_type", "all");
  const paths = one === "" ? filesIn(files.root).filter((path) => isOfType(path, type)) : [one];
  const found = paths.flatMap((path) => {
    const lines = linesOf(files.read(path));
    return match(lines).flatMap((isMatch, index) => (isMatch ? [{ path, lines, index }] : []));
  });
  const shown = found.slice(0, limit);
  const parts = shown.map(({ path, lines, index }) => {
    const from = Math.max(0, index - context);
    return `**${path}** 第 ${index + 1} 行\n${numbered(lines.slice(from, index + context + 1), from + 1)}`;
  });
  return [`## 文件内容搜索: ${one || "project"}`, `**匹配数量**: ${shown.length}`, ...parts].join("\n\n");
}

function isOfType(path: string, type: string): boolean {
  const extension = path.split(".").at(-1) ?? "";
  if (type === "java") return extension === "java";
  return type !== "config" || config.includes(extension);
}

/** Says which of some lines have a text, or match a regular expression. */
function matcherOf(pattern: string, isRegex: boolean, isCaseSensitive: boolean): Matcher {
  if (isRegex) {
    const regex = regexOf(pattern, isCaseSensitive ? "u" : "iu");
    return (lines) => lines.map((line) => regex.test(line));
  }
  const fold = (text: string): string => (isCaseSensitive ? text : text.toLowerCase());
  return (lines) => lines.map((line) => fold(line).includes(fold(pattern)));
}

function regexOf(source: string, flags: string): RegExp {
  if (nested.test(source)) throw new ToolFailure(`正则表达式过于复杂: ${source}`);
  try {
    return new RegExp(source, flags);
  } catch {
    throw new ToolFailure(`无效的正则表达式: ${source}`);
  }
}

/** Shows a file, a range of its lines, or a line with those around it. */
export function readFile(files: PluginFiles, params: Json): string {
  const path = param(params, "relativePath", "");
  const lines = linesOf(files.read(path));
  const [from, to] = rangeOf(params, lines.length);
  if (from > to || (from > lines.length && lines.length > 0)) throw new ToolFailure(`行范围无效: ${from}-${to}`);
  const shown = lines.slice(Math.max(0, from - 1), to);
  return `## 文件: ${path}\n\n**总行数**: ${lines.length}\n\n${numbered(shown, Math.max(1, from))}`;
}

function rangeOf(params: Json, total: number): readonly [from: number, to: number] {
  const [start, end, line] = ["start_line", "end_line", "line"].map((name) => optionalNumber(params, name));
  if (start !== undefined || end !== undefined) return [start ?? 1, end ?? Math.max(total, start ?? 1)];
  const context = param(params, "context_lines", 20);
  return line === undefined ? [1, Math.max(1, total)] : [line - context, line + context];
}
