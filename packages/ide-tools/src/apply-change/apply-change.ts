import type { ApplyChangeInput } from "@editwire/sman-schema";
import { ToolError } from "../errors.js";
import { report, type Fact } from "../markdown.js";
import { missing, type Project, type ProjectFile, readProjectFile, worded } from "../project.js";
import { encodeText } from "../text/encoding.js";
import { linesOf } from "../text/lines.js";
import { relativePathOf } from "../workspace/confine.js";
import { editText } from "./edit.js";
import type { Formatter } from "./formatter.js";

/** How a file is changed. */
export interface ChangeOptions {
  readonly formatter?: Formatter | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Replaces a passage of a file, or creates a file. The rest of the file keeps its bytes, unless there is a formatter.
 * Throws a `ToolError`, and changes nothing, for a passage that is not found or not unique, and for a file that exists
 * although it was to be created.
 */
export async function applyChange(
  project: Project,
  params: ApplyChangeInput,
  options: ChangeOptions = {},
): Promise<string> {
  const { relativePath, searchContent = "" } = params;
  const file = await readProjectFile(project, relativePath);
  if (searchContent === "") return create(project, file, params, options);
  if (file === undefined) throw missing(relativePath);
  return modify(project, file, { ...params, searchContent }, options);
}

/** The real path of the file that a change would write. Throws a `ToolError` when it may not be written. */
export async function changeTarget({ workspace }: Project, relativePath: string): Promise<string> {
  return worded(relativePath, async () => workspace.checkWritable(relativePathOf(relativePath)));
}

async function create(
  project: Project,
  file: ProjectFile | undefined,
  { relativePath, replaceContent: text, description }: ApplyChangeInput,
  { formatter, signal }: ChangeOptions,
): Promise<string> {
  const path = relativePathOf(relativePath);
  if (file !== undefined) throw new ToolError(`文件已存在, 未覆盖: ${path}`, { code: "exists" });
  const formatted = await format(formatter, { path, text, start: 0, end: text.length, signal });
  await worded(path, () => project.workspace.write(path, formatted.text, { createOnly: true }));
  return report("文件创建成功", [
    ["relativePath", path],
    ["描述", description ?? "代码修改"],
    ["总行数", linesOf(formatted.text).length],
    formatted.fact,
  ]);
}

async function modify(
  project: Project,
  file: ProjectFile,
  { searchContent, replaceContent, description }: ApplyChangeInput & { readonly searchContent: string },
  { formatter, signal }: ChangeOptions,
): Promise<string> {
  const { path } = file;
  const edited = editText(file.text, searchContent, replaceContent);
  if (edited.match === "none") throw new ToolError("修改失败: 未找到匹配的旧内容（精确和模糊都未匹配）");
  if (edited.match === "ambiguous")
    throw new ToolError(`修改失败: 旧内容不唯一 (ambiguous), 匹配到 ${edited.count} 处; 请提供更多上下文`);
  const { text, start, end, match, line } = edited;
  const formatted = await format(formatter, { path, text, start, end, signal });
  const isSame = formatted.text === file.text;
  if (!isSame)
    await worded(path, async () => project.workspace.write(path, encodeText(path, { ...file, text: formatted.text })));
  return report("代码变更应用成功", [
    ["relativePath", path],
    ["描述", description ?? "代码修改"],
    ["匹配方式", match === "exact" ? "精确" : "模糊"],
    ["起始行", line],
    formatted.fact,
    ...(isSame ? [["说明", "新旧内容相同, 文件未改变"] as const] : []),
  ]);
}

interface Formatting {
  readonly path: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly signal: AbortSignal | undefined;
}

/** A formatter that fails, such as on a syntax error, leaves the change as it is. */
async function format(
  formatter: Formatter | undefined,
  { path, text, start, end, signal }: Formatting,
): Promise<{ text: string; fact: Fact }> {
  if (formatter === undefined) return { text, fact: ["格式化", "未配置"] };
  try {
    const formatted = await formatter(text, { path, start, end, signal });
    return formatted === undefined
      ? { text, fact: ["格式化", "不适用"] }
      : { text: formatted, fact: ["格式化", "已格式化"] };
  } catch {
    signal?.throwIfAborted();
    return { text, fact: ["格式化", "失败, 保留未格式化的内容"] };
  }
}
