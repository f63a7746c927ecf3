// ARCHITECTURE.md has a table of names for the ideas that all bindings share. Exported names keep to it.
import { readFileSync } from "node:fs";
import ts from "typescript";
import { codeFiles, fromRoot, root } from "./workspace.mjs";

/** Names of a specification, whose words stay, and what they are there. */
const specified = {
  SmanChat: "AGENT_CHAT of sman",
  onChat: "AGENT_CHAT of sman",
  manualApproval: "a field of ECA's toolCallRun",
};

/** The findings in what the bindings export, and in the table itself. */
export function vocabularyFindings(packages, exported) {
  const isBinding = ({ name }) => packages.some((other) => other.name === `${name}-schema`);
  const protocols = packages.filter(isBinding).map(({ name }) => pascal(name.split("/")[1]));
  const rows = tableIn(readFileSync(`${root}/ARCHITECTURE.md`, "utf8"));
  const names = exported.filter(({ pkg }) => isBinding(pkg)).flatMap(ownNames);
  const synonyms = rows.flatMap(({ idea, never }) =>
    never.map((word) => ({ idea, word, pattern: synonym(word, protocols) })),
  );
  const sources = packages
    .filter(({ path }) => path.startsWith("packages/"))
    .flatMap(({ dir }) => codeFiles(dir, "src"))
    .map((file) => readFileSync(file, "utf8"));
  return [
    ...exported.filter(({ pkg }) => isBinding(pkg)).flatMap(unnamedType),
    ...names.flatMap(({ name, where }) =>
      synonyms
        .filter(({ pattern }) => !(name in specified) && pattern.test(name))
        .map(({ idea, word }) => `${where}: ${name} says "${word}"; see "${idea}" in ARCHITECTURE.md`),
    ),
    ...rows.flatMap(({ idea, names: wanted }) =>
      wanted
        .filter((name) => !sources.some((text) => new RegExp(`\\b${withProtocol(name, protocols)}`).test(text)))
        .map((name) => `ARCHITECTURE.md: nothing is called ${name}, the name for "${idea}"`),
    ),
  ];
}

/** A type that a binding declares and its root exports begins with the protocol: users import several bindings. */
function unnamedType({ name, id, pkg, target, declaredIn }) {
  const isOwnType = target.flags & ts.SymbolFlags.Type && declaredIn?.startsWith(`${pkg.path}/src/`);
  if (id !== pkg.name || !isOwnType || name.startsWith(pascal(pkg.name.split("/")[1]))) return [];
  return [`${declaredIn}: the type ${name} does not begin with the name of its protocol`];
}

/** The rows of the table: the code in the second column, and in the third. */
function tableIn(text) {
  const body = /^\| idea \| name \| not \|\n\|[-| ]+\|\n((?:\|.*\n)+)/m.exec(text)?.[1];
  if (body === undefined) throw new Error("ARCHITECTURE.md has no table of names, which this check reads");
  return body
    .trim()
    .split("\n")
    .map((line) => {
      const [idea = "", name = "", never = ""] = line.split("|").slice(1);
      return { idea: idea.trim(), names: codeIn(name).map(lastPart), never: codeIn(never) };
    });
}

const codeIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
const lastPart = (code) => code.replace(/\(\)$/, "").split(".").at(-1);
const pascal = (kebab) => kebab.replace(/(?:^|-)(\w)/g, (_all, letter) => letter.toUpperCase());

/** `connectP` stands for `connectAcp` and the others, `pHandler` for `acpHandler` and the others. */
function withProtocol(name, protocols) {
  const lower = protocols.map((protocol) => protocol[0].toLowerCase() + protocol.slice(1));
  return name.replace(/^p(?=[A-Z])/, `(?:${lower.join("|")})`).replace(/P(?=$|[A-Z])/, `(?:${protocols.join("|")})`);
}

/** With a `P` it begins a name, of several words it is a whole name, and a single word is any word of a name. */
function synonym(word, protocols) {
  const filled = withProtocol(word, protocols);
  if (filled !== word) return new RegExp(`^${filled}`);
  return /[A-Z]/.test(word) ? new RegExp(`^${word}$`) : new RegExp(`(?:^${word}|${pascal(word)})(?![a-z])`);
}

/** An exported name and its members, of those that its package declares. */
function ownNames({ name, target, checker, pkg }) {
  const type = target.flags & ts.SymbolFlags.Type ? checker.getDeclaredTypeOfSymbol(target) : undefined;
  const members = (type?.isUnion() ? type.types : [type]).flatMap((one) => one?.getProperties() ?? []);
  return [target, ...members].flatMap((symbol) => {
    const file = symbol.declarations?.[0]?.getSourceFile().fileName;
    if (!file?.startsWith(`${pkg.dir}/src/`)) return [];
    return [{ name: symbol === target ? name : symbol.name, where: fromRoot(file) }];
  });
}
