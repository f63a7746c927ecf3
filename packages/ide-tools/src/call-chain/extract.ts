import type { Node, QueryMatch, Tree } from "web-tree-sitter";
import { expressionOf, typeNameOf } from "./expression.js";
import {
  type ClassFacts,
  constructorName,
  type Family,
  type FileFacts,
  type MethodFacts,
  simpleName,
  topName,
} from "./facts.js";
import type { LanguageParser } from "./parsers.js";

/** Milliseconds after which a file that cannot be parsed is passed over. */
const maxParseMs = 2000;

/** Reads what a source declares and calls. A source with errors gives what could be read. */
export function extractFacts(path: string, text: string, parser: LanguageParser): FileFacts {
  const reader = new FactsReader(path, text, parser.family);
  const until = performance.now() + maxParseMs;
  const tree = parsed(text, parser, () => performance.now() > until);
  if (tree === undefined) return reader.facts;
  try {
    for (const part of partsOf(tree, parser, () => performance.now() > until)) reader.read(part);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // of an expression that is nested too deeply for the stack
  } finally {
    tree.delete();
  }
  return reader.facts;
}

/** The tree of a source; `undefined` when that takes too long, or the source makes the grammar's own code fail. */
function parsed(text: string, { parser }: LanguageParser, progressCallback: () => boolean): Tree | undefined {
  try {
    return parser.parse(text, null, { progressCallback }) ?? undefined;
  } catch {
    return undefined;
  } finally {
    parser.reset(); // or else it would go on with a source that it has not finished
  }
}

function partsOf({ rootNode }: Tree, { query }: LanguageParser, progressCallback: () => boolean): Part[] {
  const parts = query.matches(rootNode, { progressCallback }).map(partOf);
  return parts.sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
}

/** A part of a source. */
interface Part {
  readonly kind: string;
  readonly node: Node;
  readonly start: number;
  readonly end: number;
  readonly captures: Readonly<Record<string, Node>>;
}

const details = new Set(["name", "type", "value", "on", "self"]);

function partOf({ captures }: QueryMatch): Part {
  const [main = captures[0]] = captures.filter(({ name }) => !details.has(name));
  if (main === undefined) throw new Error("a pattern without a part");
  const { name: kind, node } = main;
  const byName = Object.fromEntries(captures.map((capture) => [capture.name, capture.node]));
  return { kind, node, start: node.startIndex, end: node.endIndex, captures: byName };
}

/** A function that is the value of a variable is a method first, so that its parameters are its own. */
function rank({ kind }: Part): number {
  return kind === "method" || kind === "class" ? 0 : 1;
}

interface Scope {
  readonly end: number;
  readonly owner: ClassFacts;
  readonly method: MethodFacts | undefined;
}

/** Builds the facts from the parts in the order of the source. */
class FactsReader {
  readonly facts: FileFacts;
  readonly #scopes: Scope[];
  readonly #tops = new Map<ClassFacts, MethodFacts>();

  constructor(path: string, text: string, family: Family) {
    this.facts = { path, family, package: "", imports: [], classes: [] };
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
    this.#scopes = [{ end: text.length + 1, owner: this.#addClass(name, undefined, true), method: undefined }];
  }

  read(part: Part): void {
    while (this.#scope.end <= part.start) this.#scopes.pop();
    const text = part.node.text;
    switch (part.kind) {
      case "package":
        this.facts.package = text;
        return;
      case "import":
        this.facts.imports.push(text);
        return;
      case "super":
        this.#scope.owner.supers.push(...[typeNameOf(text)].filter((name) => name !== undefined));
        return;
      case "returns":
        if (this.#scope.method !== undefined) this.#scope.method.returns = typeNameOf(text);
        return;
      case "receiver":
        if (this.#scope.method !== undefined) this.#scope.method.receiver = typeNameOf(text);
        return;
      case "class":
        this.#openClass(part);
        return;
      case "method":
      case "constructor":
        this.#openMethod(part);
        return;
      case "var":
      case "field":
        this.#addVariable(part);
        return;
      default:
        this.#addCall(part);
    }
  }

  get #scope(): Scope {
    const scope = this.#scopes.at(-1);
    if (scope === undefined) throw new Error("the scope of the file has ended");
    return scope;
  }

  #addClass(name: string, outer: ClassFacts | undefined, isModule: boolean): ClassFacts {
    const added = { file: this.facts, name, isModule, outer, supers: [], fields: new Map(), methods: [] };
    this.facts.classes.push(added);
    return added;
  }

  #openClass({ end, captures }: Part): void {
    const { owner } = this.#scope;
    const name = captures["name"]?.text ?? "";
    const added = this.#addClass(owner.isModule ? name : `${owner.name}.${name}`, owner, false);
    this.#scopes.push({ end, owner: added, method: undefined });
  }

  #openMethod({ kind, node, end, captures }: Part): void {
    const written = captures["name"]?.text ?? "";
    const isConstructor = kind === "constructor" || written === "constructor" || written === "__init__";
    const lines = { line: node.startPosition.row + 1, endLine: node.endPosition.row + 1 };
    const method = this.#addMethod(isConstructor ? constructorName : written, lines);
    this.#scopes.push({ end, owner: method.owner, method });
  }

  #addMethod(name: string, lines: { line: number; endLine: number }): MethodFacts {
    const { owner } = this.#scope;
    const empty = { returns: undefined, receiver: undefined, variables: new Map(), calls: [] };
    const method: MethodFacts = { owner, name, ...lines, ...empty };
    owner.methods.push(method);
    return method;
  }

  #addVariable({ kind, captures }: Part): void {
    const { owner, method } = this.#scope;
    const name = captures["name"]?.text ?? "";
    const type = captures["type"] === undefined ? undefined : typeNameOf(captures["type"].text);
    const value = captures["value"] === undefined ? undefined : expressionOf(captures["value"]);
    const target = kind === "field" || method === undefined ? owner.fields : method.variables;
    const before = target.get(name);
    target.set(name, {
      name,
      type: before?.type ?? type,
      value: before?.value ?? value,
      method: before?.value === undefined ? method : before.method,
    });
  }

  #addCall({ kind, node, captures }: Part): void {
    const line = node.startPosition.row + 1;
    const isNew = kind === "new";
    const name = isNew ? typeNameOf(captures["type"]?.text ?? "") : captures["name"]?.text;
    if (name === undefined) return;
    const on = captures["on"] === undefined ? undefined : expressionOf(captures["on"]);
    const method = this.#scope.method ?? this.#topOf(this.#scope.owner, line);
    method.calls.push({ name: simpleName(name), on, isNew, line });
  }

  #topOf(owner: ClassFacts, line: number): MethodFacts {
    let top = this.#tops.get(owner);
    if (top === undefined) this.#tops.set(owner, (top = this.#addMethod(topName, { line, endLine: line })));
    return top;
  }
}
