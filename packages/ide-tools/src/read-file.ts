import { type ReadFileInput, smanToolDefaults } from "@editwire/sman-schema";
import { ToolError } from "./errors.js";
import { fenced, languageOf, numbered, report } from "./markdown.js";
import { missing, type Project, type ProjectFile, readProjectFile } from "./project.js";
import { type Excerpt, excerptOf, type LineRange } from "./text/excerpt.js";

const defaultContext = smanToolDefaults.read_file.context_lines;

/**
 * Reads a text file, or some of its lines: `start_line` to `end_line`, where one may be absent; or else `line` with
 * `context_lines` (default 20) around it; or else the whole file. A range that reaches past the file is cut to it, and
 * the report is cut to `maxChars`. Throws a `ToolError` for a range that begins past the end.
 */
export async function readFile(project: Project, params: ReadFileInput, maxChars: number): Promise<string> {
  const file = await readProjectFile(project, params.relativePath);
  if (file === undefined) throw missing(params.relativePath);
  const asked = rangeOf(params);
  const marked = params.start_line === undefined && params.end_line === undefined ? params.line : undefined;
  const format = (number: number, text: string): string => numbered(number, text, number === marked);
  const excerpt = excerptOf(file.text, asked ?? { from: 1, to: Infinity }, { format, maxChars });
  if (asked !== undefined && excerpt.isOutside)
    throw new ToolError(`行范围无效: ${shown(asked)}, ${file.path} 共 ${excerpt.total} 行`);
  return describe(file, excerpt, { asked, maxChars });
}

function rangeOf(params: ReadFileInput): LineRange | undefined {
  const { start_line: start, end_line: end, line, context_lines: context = defaultContext } = params;
  if (start !== undefined || end !== undefined) return { from: start ?? 1, to: end ?? Infinity };
  return line === undefined ? undefined : { from: line - context, to: line + context };
}

function shown({ from, to }: LineRange): string {
  return `${from}-${to === Infinity ? "末尾" : to}`;
}

interface Reading {
  readonly asked: LineRange | undefined;
  readonly maxChars: number;
}

function describe(file: ProjectFile, excerpt: Excerpt, { asked, maxChars }: Reading): string {
  const { lines, from, to, total } = excerpt;
  const isCut = excerpt.isCut || excerpt.isLineCut;
  const rest = total - to;
  const name = file.path.split("/").at(-1) ?? file.path;
  const head = report(`文件: ${name}`, [
    ["relativePath", file.path],
    ["类型", languageOf(name) || "text"],
    ["总行数", total],
    ["文件大小", `${file.size} 字节`],
    ...(asked === undefined ? [] : [["请求范围", shown(asked)] as const]),
    ["实际范围", lines.length === 0 ? "无" : `${from}-${to}`],
    ["读取行数", lines.length],
    ...(isCut ? [["⚠️ 已自动截断", `结果超过 ${maxChars} 个字符`] as const] : []),
  ]);
  const more = rest > 0 ? [`> 💡 文件还有 ${rest} 行未显示`] : [];
  return [head, fenced(languageOf(name), lines.join("\n")), ...more].join("\n\n");
}
