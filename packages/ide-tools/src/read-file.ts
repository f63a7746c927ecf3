import { type ReadFileInput, smanToolDefaults } from "@editwire/sman-schema";
import { ToolError } from "./errors.js";
import { fenced, languageOf, numbered, report } from "./markdown.js";
import { missing, type Project, type ProjectFile, readProjectFile } from "./project.js";
import { type Line, linesOf } from "./text/lines.js";

/** Lines of a file, counted from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

const defaultContext = smanToolDefaults.read_file.context_lines;

/**
 * Reads a text file, or some of its lines: `start_line` to `end_line`, where one may be absent; or else `line` with
 * `context_lines` (default 20) around it; or else the whole file. A range that reaches past the file is cut to it, and
 * the report is cut to `maxChars`. Throws a `ToolError` for a range that begins past the end.
 */
export async function readFile(project: Project, params: ReadFileInput, maxChars: number): Promise<string> {
  const file = await readProjectFile(project, params.relativePath);
  if (file === undefined) throw missing(params.relativePath);
  const lines = linesOf(file.text);
  const asked = rangeOf(params);
  const range = clamped(asked, lines.length, file.path);
  return describe(file, lines, { params, asked, range, maxChars });
}

function rangeOf(params: ReadFileInput): LineRange | undefined {
  const { start_line: start, end_line: end, line, context_lines: context = defaultContext } = params;
  if (start !== undefined || end !== undefined) return { from: start ?? 1, to: end ?? Infinity };
  return line === undefined ? undefined : { from: line - context, to: line + context };
}

function clamped(asked: LineRange | undefined, total: number, path: string): LineRange {
  if (asked === undefined) return { from: 1, to: total };
  const range = { from: Math.max(1, asked.from), to: Math.min(total, asked.to) };
  if (range.from > Math.max(total, 1) || asked.from > asked.to || asked.to < 1)
    throw new ToolError(`行范围无效: ${shown(asked)}, ${path} 共 ${total} 行`);
  return range;
}

function shown({ from, to }: LineRange): string {
  return `${from}-${to === Infinity ? "末尾" : to}`;
}

interface Reading {
  readonly params: ReadFileInput;
  readonly asked: LineRange | undefined;
  readonly range: LineRange;
  readonly maxChars: number;
}

function describe(file: ProjectFile, lines: readonly Line[], { params, asked, range, maxChars }: Reading): string {
  const marked = params.start_line === undefined && params.end_line === undefined ? params.line : undefined;
  const code = lines
    .slice(range.from - 1, range.to)
    .map(({ text }, index) => numbered(range.from + index, text, range.from + index === marked));
  const { kept, isCut } = fitting(code, maxChars);
  const last = range.from + kept.length - 1;
  const rest = lines.length - Math.max(last, 0);
  const name = file.path.split("/").at(-1) ?? file.path;
  const head = report(`文件: ${name}`, [
    ["relativePath", file.path],
    ["类型", languageOf(name) || "text"],
    ["总行数", lines.length],
    ["文件大小", `${file.size} 字节`],
    ...(asked === undefined ? [] : [["请求范围", shown(asked)] as const]),
    ["实际范围", kept.length === 0 ? "无" : `${range.from}-${last}`],
    ["读取行数", kept.length],
    ...(isCut ? [["⚠️ 已自动截断", `结果超过 ${maxChars} 个字符`] as const] : []),
  ]);
  const more = rest > 0 ? [`> 💡 文件还有 ${rest} 行未显示`] : [];
  return [head, fenced(languageOf(name), kept.join("\n")), ...more].join("\n\n");
}

/** As many lines as fit; a first line that is too long by itself is cut. */
function fitting(lines: readonly string[], maxChars: number): { kept: readonly string[]; isCut: boolean } {
  let chars = 0;
  const end = lines.findIndex((text) => (chars += text.length + 1) > maxChars);
  if (end === -1) return { kept: lines, isCut: false };
  return { kept: end === 0 ? [`${lines[0]?.slice(0, maxChars)}…`] : lines.slice(0, end), isCut: true };
}
