// House rules about what packages export: one name, one declaration, one place to import it from, one sentence about
// it.
import ts from "typescript";
import { fromRoot, root } from "./workspace.mjs";

/** The exports of the entry points of all packages. They are read as one program. */
export function exportsOfAll(packages) {
  const { config } = ts.readConfigFile(`${root}/tsconfig.base.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram(
    packages.flatMap(({ entries }) => entries.flatMap(({ source }) => source ?? [])),
    options,
  );
  return packages.flatMap((pkg) => exportsOf(program, pkg));
}

/** The findings in what the packages export. */
export function exportFindings(exported) {
  return [...undocumented(exported), ...ambiguous(exported), ...homeless(exported)];
}

function exportsOf(program, pkg) {
  const checker = program.getTypeChecker();
  return pkg.entries.flatMap(({ id, source }) => {
    const file = source && program.getSourceFile(source);
    const module = file && checker.getSymbolAtLocation(file);
    return (module ? checker.getExportsOfModule(module) : []).map((symbol) => {
      const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const declarations = target.declarations ?? [];
      const declaredIn = declarations[0] && fromRoot(declarations[0].getSourceFile().fileName);
      return {
        name: symbol.name,
        id,
        pkg,
        target,
        checker,
        declarations,
        declaredIn,
        declaredHere: declaredIn === fromRoot(source),
      };
    });
  });
}

const isOurs = ({ declaredIn }) => declaredIn !== undefined && !declaredIn.includes("node_modules");

const undocumented = (exported) =>
  exported
    .filter((entry) => isOurs(entry) && !entry.declarations.some(hasComment))
    .map(({ declaredIn, name, id }) => `${declaredIn}: ${name}, exported by ${id}, has no TSDoc comment`);

function hasComment(declaration) {
  const holder = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  return ts.getJSDocCommentsAndTags(holder).length > 0;
}

/**
 * Within a package a name means one thing and has one place; an entry point that declares it itself may repeat it. A
 * function of `./node` may have the name of the root's if it takes everything that that one takes.
 */
function ambiguous(exported) {
  const seen = new Map();
  return exported.flatMap((entry) => {
    const key = `${entry.pkg.name} ${entry.name}`;
    const first = seen.get(key) ?? entry;
    seen.set(key, first);
    if (first === entry || (first.target === entry.target && (first.declaredHere || entry.declaredHere))) return [];
    if (takesMore(entry, first)) return [];
    return [`${entry.pkg.path}: ${entry.name} is exported by both ${first.id} and ${entry.id}`];
  });
}

function takesMore({ id, target, checker }, first) {
  if (!id.endsWith("/node") || !(target.flags & ts.SymbolFlags.Function)) return false;
  return checker.isTypeAssignableTo(checker.getTypeOfSymbol(target), checker.getTypeOfSymbol(first.target));
}

/**
 * Only the package that declares a name exports it, except for bindings, schemas and the agent above them: their users
 * install nothing else.
 */
function homeless(exported) {
  const names = new Set(exported.map(({ pkg }) => pkg.name));
  const isOfProtocol = (name) => name.endsWith("-schema") || names.has(`${name}-schema`) || name === "@editwire/agent";
  return exported
    .filter((entry) => isOurs(entry) && !isOfProtocol(entry.pkg.name))
    .filter((entry) => !entry.declaredIn.startsWith(`${entry.pkg.path}/`))
    .map(({ id, name, declaredIn }) => `${id}: ${name} belongs to ${declaredIn}; let users import it from there`);
}
