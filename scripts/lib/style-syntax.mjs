// House rules that one file's syntax shows and that no linter rule covers.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import ts from "typescript";
import { fromRoot } from "./workspace.mjs";

const suppression = /\b(?:eslint|oxlint)-disable/;

/** The findings in one source file. */
export function syntaxFindings(file) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const findings = [];
  const report = (position, message) => {
    findings.push(`${fromRoot(file)}:${source.getLineAndCharacterOfPosition(position).line + 1}: ${message}`);
  };

  const suppressed = text.search(suppression);
  if (suppressed >= 0) report(suppressed, "suppresses a rule; mend the code");
  for (const statement of source.statements) {
    const fault = faultOf(statement) ?? (basename(file) === "index.ts" ? faultOfIndex(statement) : undefined);
    if (fault) report(statement.getStart(source), fault);
  }
  return findings;
}

function faultOf(statement) {
  if (ts.isEnumDeclaration(statement)) return "`enum`; write an `as const` object or a union of strings";
  if (
    ts.isExportDeclaration(statement) &&
    (statement.exportClause === undefined || ts.isNamespaceExport(statement.exportClause))
  ) {
    return "`export *`; name what is exported";
  }
  if (ts.isImportDeclaration(statement) && /^zod(\/|$)/.test(statement.moduleSpecifier.text)) {
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamespaceImport(bindings))
      return 'write `import * as z from "zod"`: `{ z }` brings every locale into a bundle';
  }
  return undefined;
}

const faultOfIndex = (statement) =>
  ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined
    ? undefined
    : "an index file holds named re-exports only";
