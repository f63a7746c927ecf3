import type { Statement } from "./statement.js";

const name = /(?:interface|type)\s+(\w+)|^(\w+)\??\s*:/;

/**
 * Cuts TypeScript declarations into statements: every member of an interface and every type, each with its doc comment.
 * An anchor is the path of names, such as `InitializeParams.clientInfo.name`. A member that opens an object is a
 * statement of its own only where it says something: a name is required where its fields are.
 */
export function codeStatements(lines: readonly string[], section: string, firstLine: number): Statement[] {
  const statements: Statement[] = [];
  const path: string[] = [];
  let held: string[] = [];
  let code = "";
  let start = firstLine;
  let inComment = false;

  const emit = (names: readonly string[]): void => {
    statements.push({
      anchor: `${section}:${names.join(".")}`,
      text: held.join(" ").replace(/\s+/g, " ").trim(),
      line: start,
    });
  };
  const reset = (): void => {
    held = [];
    code = "";
  };

  for (const [index, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === "") continue;
    if (held.length === 0) start = firstLine + index;
    if (inComment || line.startsWith("/*")) {
      inComment = !line.includes("*/");
      held.push(line);
      continue;
    }
    if (line.startsWith("}")) {
      reset();
      path.pop();
      continue;
    }
    held.push(line);
    code = `${code} ${line}`.trim();
    const found = name.exec(code);
    const own = found?.[1] ?? found?.[2];
    if (own === undefined) continue;
    if (/\{\s*}$/.test(line) || line.endsWith(";")) {
      emit([...path, own]);
      reset();
    } else if (/[{[]$/.test(line)) {
      path.push(own);
      if (path.length > 1 || held.length > 1) emit(path);
      reset();
    }
  }
  return statements;
}
