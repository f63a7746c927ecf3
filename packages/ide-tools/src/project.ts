import { ToolError, type ToolErrorCode } from "./errors.js";
import { decodeText, type TextFile } from "./text/encoding.js";
import { relativePathOf } from "./workspace/confine.js";
import type { Workspace } from "./workspace/workspace.js";

/** What the tools work with. */
export interface Project {
  readonly workspace: Workspace;
  /** The encoding of files that have no byte order mark and are not UTF-8. */
  readonly fallbackEncoding?: string | undefined;
}

/** A text file of the project. */
export interface ProjectFile extends TextFile {
  /** From the project's folder, normalized. */
  readonly path: string;
  /** Size in bytes. */
  readonly size: number;
}

/** Reads a text file; `undefined` when it does not exist. Throws a `ToolError` that is worded for the caller. */
export async function readProjectFile(project: Project, relativePath: string): Promise<ProjectFile | undefined> {
  return worded(relativePath, async () => {
    const path = relativePathOf(relativePath);
    const bytes = await project.workspace.readBytes(path);
    if (bytes === undefined) return undefined;
    return { ...decodeText(path, bytes, project.fallbackEncoding), path, size: bytes.length };
  });
}

/** The error for a file that does not exist, in the specification's words. */
export function missing(relativePath: string): ToolError {
  return new ToolError(`文件不存在: ${relativePath}`, { code: "not_found" });
}

const wordings: Readonly<Partial<Record<ToolErrorCode, string>>> = {
  binary: "二进制文件, 无法作为文本处理",
  encoding: "文件编码不受支持",
  exists: "文件已存在, 未覆盖",
  folder: "不是文件, 是目录",
  not_found: "文件不存在",
  not_regular: "不是普通文件",
  outside: "路径无效或超出项目范围",
  too_large: "文件过大",
  unwritable: "不允许写入",
};

/** Rewords what the workspace reports: in the language of the tools' reports, with the path as the caller wrote it. */
export async function worded<Result>(relativePath: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, cause } = error;
    throw new ToolError(`${(code && wordings[code]) ?? "无法访问"}: ${printable(relativePath)}`, {
      code,
      cause,
    });
  }
}

function printable(path: string): string {
  return path.replaceAll("\0", "\\0");
}
