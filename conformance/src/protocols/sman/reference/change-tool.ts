import type { PluginFiles } from "./plugin-files.js";
import { type Json, param, ToolFailure } from "./tool-failure.js";

/** Replaces a passage of a file, or creates a file. */
export function applyChange(files: PluginFiles, params: Json): string {
  const path = param(params, "relativePath", "");
  const search = param(params, "searchContent", "");
  const replace = param(params, "replaceContent", "");
  if (search === "") {
    files.create(path, replace);
    return `## 文件创建成功\n\n${path}`;
  }
  files.change(path, (text) => files.edited(text, search, replace));
  return `## 代码变更应用成功\n\n${path}`;
}

/** A text with one passage replaced. Throws a `ToolFailure` unless there is exactly one. */
export function edited(text: string, search: string, replace: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lined = (one: string): string => one.replace(/\r\n|\r|\n/g, end);
  const parts = text.split(lined(search));
  if (parts.length === 2) return parts.join(lined(replace));
  if (parts.length > 2) throw new ToolFailure(`修改失败: 匹配不唯一, 共 ${parts.length - 1} 处`);
  return loosely(text.split(end), search, replace).join(end);
}

const indentOf = (line: string): string => /^\s*/.exec(line)?.[0] ?? "";

/** Whole lines that match apart from their indentation, replaced by lines that are indented as they were. */
function loosely(lines: readonly string[], search: string, replace: string): string[] {
  const wanted = search
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.trim());
  const found = lines.flatMap((_, from) =>
    wanted.every((line, index) => lines[from + index]?.trim() === line) ? [from] : [],
  );
  const [from] = found;
  if (from === undefined) throw new ToolFailure("修改失败: 未找到匹配的旧内容（精确和模糊都未匹配）");
  if (found.length > 1) throw new ToolFailure(`修改失败: 匹配不唯一, 共 ${found.length} 处`);
  const given = replace.trimEnd().split(/\r?\n/);
  const [outer, inner] = [indentOf(lines[from] ?? ""), indentOf(given[0] ?? "")];
  const shifted = given.map((line) => (line === "" ? "" : outer + line.slice(inner.length)));
  return [...lines.slice(0, from), ...shifted, ...lines.slice(from + wanted.length)];
}
