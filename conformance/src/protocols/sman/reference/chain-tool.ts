import { filesIn, linesOf } from "./files.js";
import type { PluginFiles } from "./plugin-files.js";
import { type Json, param, ToolFailure } from "./tool-failure.js";

/** A method of a class, with its lines. */
interface Method {
  readonly owner: string;
  readonly name: string;
  readonly path: string;
  readonly lines: readonly string[];
}

const declaration = /^ {4}(?:public )?(?:int|void) (\w+)\(.*\{$/;

/** The methods in Java files that are formatted as those of the suite's project. */
function methodsIn(files: PluginFiles): Method[] {
  return filesIn(files.root)
    .filter((path) => path.endsWith(".java"))
    .flatMap((path) => {
      const lines = linesOf(files.read(path));
      const owner = lines.map((line) => /^public class (\w+)/.exec(line)?.[1]).find((name) => name !== undefined) ?? "";
      return lines.flatMap((line, from): Method[] => {
        const name = declaration.exec(line)?.[1];
        if (name === undefined) return [];
        const end = lines.findIndex((one, index) => index > from && one === "    }");
        return [{ owner, name, path, lines: lines.slice(from, end + 1) }];
      });
    });
}

const calls = (from: Method, to: Method): boolean =>
  from.lines.slice(1).some((line) => new RegExp(`\\b${to.name}\\(`).test(line));

/** Lists the methods that call a method, and those that it calls. */
export function callChain(files: PluginFiles, params: Json): string {
  const wanted = param(params, "method", "");
  const direction = param(params, "direction", "both");
  const depth = param(params, "depth", 1);
  const withSource = param(params, "includeSource", false);
  if (!/^\w+(\.\w+)+$/.test(wanted)) throw new ToolFailure("方法签名格式错误，应为: ClassName.methodName");
  if (!["callers", "callees", "both"].includes(direction)) throw new ToolFailure(`direction 无效: ${direction}`);
  const all = methodsIn(files);
  const method = all.find(({ owner, name }) => wanted.endsWith(`${owner}.${name}`));
  if (method === undefined) throw new ToolFailure(`未找到方法: ${wanted}`);
  const reach = (next: (one: Method) => Method[]): Method[] => {
    const seen = new Set([method]);
    for (let step = 0; step < depth; step++)
      for (const one of [...seen]) for (const other of next(one)) seen.add(other);
    return [...seen].slice(1);
  };
  const callers = direction === "callees" ? [] : reach((one) => all.filter((other) => calls(other, one)));
  const callees = direction === "callers" ? [] : reach((one) => all.filter((other) => calls(one, other)));
  const listed = (title: string, methods: readonly Method[]): string[] =>
    methods.length === 0 ? [] : [`### ${title}`, ...methods.map((one) => `- ${one.owner}.${one.name} — ${one.path}`)];
  const sources = withSource ? [method, ...callers, ...callees].map(({ lines }) => lines.join("\n")) : [];
  return [`## ${wanted}`, ...listed("调用者", callers), ...listed("被调用的方法", callees), ...sources].join("\n");
}
