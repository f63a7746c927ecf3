import type { CallDirection } from "@editwire/sman-schema";
import { fenced, languageOf, numbered, report } from "../markdown.js";
import { linesOf } from "../text/lines.js";
import { type Chain, isTop, type Link } from "./chain.js";
import { type CodeIndex, fullNameOf, titleOf } from "./code-index.js";
import { constructorName, type MethodFacts, simpleName } from "./facts.js";

/** How chains are shown. */
export interface ChainReportOptions {
  readonly direction: CallDirection;
  readonly depth: number;
  readonly includeSource: boolean;
}

/** Lines of a method's source that are shown. */
const maxSourceLines = 60;

/** Writes the report on chains, with the source of each method when it is asked for. */
export function chainReport(index: CodeIndex, chains: readonly Chain[], options: ChainReportOptions): string {
  const sections: string[] = [];
  for (const chain of chains) {
    sections.push(sectionOf(chain, options));
    if (options.includeSource) sections.push(...sourcesOf(index, chain));
  }
  return sections.join("\n\n");
}

function sectionOf(chain: Chain, { direction, depth }: ChainReportOptions): string {
  const { method, callers, callees, isCut } = chain;
  const name = method.name === constructorName ? simpleName(method.owner.name) : method.name;
  const head = report(`调用链分析: ${titleOf(method)}`, [
    ["方法", `${fullNameOf(method.owner)}.${name}`],
    ["位置", `${method.owner.file.path}:${method.line}-${method.endLine}`],
    ["方向", direction],
    ["深度", depth],
  ]);
  return [
    head,
    ...(direction === "callees" ? [] : ["### 调用者 (callers)", listOf(callers, "caller") || "未找到调用者"]),
    ...(direction === "callers"
      ? []
      : ["### 被调用的方法 (callees)", listOf(callees, "callee") || "未找到被调用的方法"]),
    ...(isCut ? ["> ⚠️ 结果过多, 仅显示一部分"] : []),
  ].join("\n\n");
}

function listOf(links: readonly Link[], role: "caller" | "callee", indent = ""): string {
  return links
    .map((link) => {
      const below = listOf(link.links, role, `${indent}  `);
      return `${indent}- ${lineOf(link, role)}${below === "" ? "" : `\n${below}`}`;
    })
    .join("\n");
}

function lineOf({ method, name, lines, isCertain }: Link, role: "caller" | "callee"): string {
  const calls = `第 ${[...new Set(lines)].join(", ")} 行调用`;
  if (method === undefined) return `\`${name}\` (项目外, ${calls})`;
  const { path } = method.owner.file;
  const title = isTop(method) ? `${method.owner.name} (顶层代码)` : titleOf(method);
  const doubt = isCertain ? "" : ", 可能: 仅按名称匹配";
  const place = role === "caller" ? `${path}:${lines[0]}` : `${path}:${method.line}`;
  return `\`${title}\` — ${place} (${calls}${doubt})`;
}

function sourcesOf(index: CodeIndex, chain: Chain): string[] {
  const methods = new Set([chain.method, ...methodsIn(chain.callers), ...methodsIn(chain.callees)]);
  const sources = [...methods].filter((method) => !isTop(method)).map((method) => sourceOf(index, method));
  return ["### 源代码", ...sources];
}

function methodsIn(links: readonly Link[]): MethodFacts[] {
  return links.flatMap(({ method, links: next }) => [...(method === undefined ? [] : [method]), ...methodsIn(next)]);
}

function sourceOf(index: CodeIndex, method: MethodFacts): string {
  const { line, endLine, owner } = method;
  const { path } = owner.file;
  const lines = linesOf(index.read(path) ?? "").slice(line - 1, Math.min(endLine, line - 1 + maxSourceLines));
  const code = lines.map(({ text }, offset) => numbered(line + offset, text)).join("\n");
  const rest = endLine - line + 1 - maxSourceLines;
  const more = rest > 0 ? `\n\n> 💡 方法还有 ${rest} 行未显示` : "";
  return `#### ${titleOf(method)} — ${path}\n\n${fenced(languageOf(path), code)}${more}`;
}
