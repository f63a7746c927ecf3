import { type GrepFileInput, smanToolDefaults } from "@editwire/sman-schema";
import { ToolError } from "../errors.js";
import { fenced, inlineCode, languageOf, numbered, report } from "../markdown.js";
import { missing, type Project, readProjectFile } from "../project.js";
import type { Match, Matches, Search, SearchQuery } from "./search.js";

const defaults = smanToolDefaults.grep_file;

/** The extensions of the types that have a name. */
const types: Readonly<Record<string, readonly string[]>> = {
  config: ["properties", "yml", "yaml", "xml"],
  java: ["java"],
  javascript: ["js", "jsx", "mjs", "cjs"],
  kotlin: ["kt", "kts"],
  python: ["py"],
  typescript: ["ts", "tsx", "mts", "cts"],
};

/** Characters of a line that are shown. */
const maxLineChars = 500;

/**
 * Searches one file, or all files of the project except those that a `.gitignore` names. Throws a `ToolError` for a
 * pattern that is empty or not a regular expression, and for a file that does not exist. No match is not an error.
 */
export async function grepFile(
  project: Project,
  search: Search,
  params: GrepFileInput,
  signal?: AbortSignal,
): Promise<string> {
  const { pattern, relativePath = "", context_lines: context = defaults.context_lines } = params;
  if (pattern === "") throw new ToolError("缺少 pattern 参数");
  const file = relativePath === "" ? undefined : await readProjectFile(project, relativePath);
  if (file === undefined && relativePath !== "") throw missing(relativePath);
  const matches = await search(queryOf(params, file?.text), signal);
  const head = headOf(params, { path: file?.path, count: matches.shown.length });
  if (matches.shown.length === 0) return [head, `未找到匹配 ${inlineCode(pattern)} 的内容`].join("\n\n");
  const body =
    file === undefined
      ? byFile(matches.shown, context)
      : listed(matches.shown, { context, depth: "###", path: file.path });
  return [head, ...body, ...restOf(matches)].join("\n\n");
}

function queryOf(params: GrepFileInput, text: string | undefined): SearchQuery {
  return {
    pattern: params.pattern,
    isRegex: params.regex ?? defaults.regex,
    isCaseSensitive: params.case_sensitive ?? defaults.case_sensitive,
    limit: params.limit ?? defaults.limit,
    text,
    extensions: text === undefined ? extensionsOf(params.file_type ?? defaults.file_type) : undefined,
  };
}

/** The extensions of a named type, or the one that is given as `.ts`; every file for any other value. */
function extensionsOf(type: string): readonly string[] | undefined {
  if (Object.hasOwn(types, type)) return types[type];
  return /^\.\w+$/.test(type) ? [type.slice(1)] : undefined;
}

function headOf(params: GrepFileInput, { path, count }: { path: string | undefined; count: number }): string {
  const { pattern, regex = defaults.regex, file_type: type = defaults.file_type } = params;
  const isCaseSensitive = params.case_sensitive ?? defaults.case_sensitive;
  const isUnknown = type !== defaults.file_type && extensionsOf(type) === undefined;
  return report(path === undefined ? "🔍 全项目搜索结果" : `文件内容搜索: ${path.split("/").at(-1)}`, [
    ...(path === undefined ? [] : [["relativePath", path] as const]),
    ["搜索内容", inlineCode(pattern)],
    ["正则模式", regex ? "是" : "否"],
    ["大小写敏感", isCaseSensitive ? "是" : "否"],
    ...(path === undefined ? [["文件类型", isUnknown ? `all (⚠️ 未知类型 ${inlineCode(type)})` : type] as const] : []),
    ["匹配数量", count],
  ]);
}

function byFile(matches: readonly Match[], context: number): string[] {
  const paths = [...new Set(matches.map(({ path }) => path))];
  return paths.flatMap((path) => [
    `### ${path}`,
    ...listed(
      matches.filter((match) => match.path === path),
      { context, depth: "####", path },
    ),
  ]);
}

interface Listing {
  readonly context: number;
  readonly depth: string;
  readonly path: string;
}

function listed(matches: readonly Match[], { context, depth, path }: Listing): string[] {
  if (context === 0)
    return [
      matches
        .map(({ line, lines }) => `- **第 ${line} 行**: ${inlineCode(short(lines[line - 1] ?? "").trim())}`)
        .join("\n"),
    ];
  return matches.flatMap(({ line, lines }) => {
    const from = Math.max(1, line - context);
    const shown = lines
      .slice(from - 1, line + context)
      .map((text, index) => numbered(from + index, short(text), from + index === line));
    return [`${depth} 第 ${line} 行`, fenced(languageOf(path), shown.join("\n"))];
  });
}

function short(line: string): string {
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
}

function restOf({ others, isPartial }: Matches): string[] {
  if (others === 0) return [];
  return [`> 💡 还有 ${others} 个${isPartial ? "以上" : ""}匹配未显示`];
}
