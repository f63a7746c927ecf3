import type { SmanToolInputs } from "@editwire/sman-schema";
import { ToolError } from "../errors.js";
import type { CallGraph } from "./call-graph.js";
import { type CodeIndex, fullNameOf } from "./code-index.js";
import { type CallSite, constructorName, type MethodFacts, simpleName, topName } from "./facts.js";

/** A method in a chain of calls. */
export interface Link {
  /** Absent for a method that the project does not declare. */
  readonly method: MethodFacts | undefined;
  /** The name in the source, when the method is not declared in the project. */
  readonly name: string;
  /** The lines of the calls, in the caller's file. */
  readonly lines: readonly number[];
  readonly isCertain: boolean;
  /** The next calls of the chain. */
  readonly links: readonly Link[];
}

/** A method with its chains. */
export interface Chain {
  readonly method: MethodFacts;
  readonly callers: readonly Link[];
  readonly callees: readonly Link[];
  /** Links that a limit left out. */
  readonly isCut: boolean;
}

export interface ChainQuery {
  /** `Class.method`, where the class may have its package or the classes around it in front. */
  readonly method: string;
  readonly direction: NonNullable<SmanToolInputs["call_chain"]["direction"]>;
  /** Calls from one method to another that are followed. */
  readonly depth: number;
}

/** Links of one chain in one direction. */
const maxLinks = 200;

/** Finds the chains of all methods of that name. Throws a `ToolError` for a class or method that is not declared. */
export function* chainsOf(graph: CallGraph, { method, direction, depth }: ChainQuery): Generator<Chain> {
  for (const declared of declarationsOf(graph.index, method)) {
    const budget = { left: maxLinks, isCut: false };
    const walk = { graph, depth, budget };
    const callers = direction === "callees" ? [] : callersOf(declared, walk, new Set([declared]));
    budget.left = maxLinks;
    const callees = direction === "callers" ? [] : calleesOf(declared, walk, new Set([declared]));
    yield { method: declared, callers, callees, isCut: budget.isCut };
  }
}

function declarationsOf(index: CodeIndex, wanted: string): MethodFacts[] {
  const className = wanted.slice(0, wanted.lastIndexOf("."));
  const name = simpleName(wanted);
  const classes = [...index.classes(simpleName(className))].filter((one) => {
    const full = `.${fullNameOf(one)}`;
    return full.endsWith(`.${className}`) || one.isModule;
  });
  if (classes.length === 0)
    throw new ToolError(`The class ${className} is not declared`, { code: "unknown_class", detail: className });
  const isConstructor = ["constructor", "__init__", constructorName, simpleName(className)].includes(name);
  const found = classes.flatMap((one) =>
    one.methods.filter((method) => method.name === name || (isConstructor && method.name === constructorName)),
  );
  if (found.length === 0)
    throw new ToolError(`The method ${wanted} is not declared`, { code: "unknown_method", detail: wanted });
  return found.sort((a, b) =>
    a.owner.file.path < b.owner.file.path ? -1 : a.owner.file.path > b.owner.file.path ? 1 : a.line - b.line,
  );
}

interface Walk {
  readonly graph: CallGraph;
  readonly depth: number;
  readonly budget: { left: number; isCut: boolean };
}

type Seen = ReadonlySet<MethodFacts>;

function callersOf(target: MethodFacts, walk: Walk, seen: Seen): Link[] {
  const { graph, budget } = walk;
  const links: Link[] = [];
  for (const { method, calls, isCertain } of graph.callersOf(target)) {
    if (budget.left-- <= 0) {
      budget.isCut = true;
      break;
    }
    const goesOn = seen.size < walk.depth && !seen.has(method);
    const next = goesOn ? callersOf(method, walk, new Set([...seen, method])) : [];
    links.push({ method, name: method.name, lines: calls.map(({ line }) => line), isCertain, links: next });
  }
  return links.sort(byCertainty);
}

function calleesOf(caller: MethodFacts, walk: Walk, seen: Seen): Link[] {
  const found = new Map<
    MethodFacts | string,
    { method: MethodFacts | undefined; name: string; lines: number[]; isCertain: boolean }
  >();
  for (const call of caller.calls) {
    const { targets, isCertain } = walk.graph.targetsOf(call, caller);
    for (const method of targets.size === 0 ? [undefined] : targets) {
      const name = writtenAs(call);
      const known = found.get(method ?? name);
      if (known === undefined) found.set(method ?? name, { method, name, lines: [call.line], isCertain });
      else {
        known.lines.push(call.line);
        known.isCertain ||= isCertain;
      }
    }
  }
  return [...found.values()].flatMap((link) => {
    if (walk.budget.left-- <= 0) {
      walk.budget.isCut = true;
      return [];
    }
    const { method } = link;
    const goesOn = method !== undefined && seen.size < walk.depth && !seen.has(method) && link.isCertain;
    return [{ ...link, links: goesOn ? calleesOf(method, walk, new Set([...seen, method])) : [] }];
  });
}

/** A call as the source writes it, as far as it is names. */
function writtenAs({ on, name, isNew }: CallSite): string {
  if (isNew) return `new ${name}`;
  if (on?.kind === "name") return `${on.name}.${name}`;
  if (on?.kind === "member" && on.on.kind === "name") return `${on.on.name}.${on.name}.${name}`;
  return name;
}

function byCertainty(a: Link, b: Link): number {
  return Number(b.isCertain) - Number(a.isCertain) || (placeOf(a) < placeOf(b) ? -1 : 1);
}

function placeOf({ method, lines }: Link): string {
  return `${method?.owner.file.path ?? ""} ${String(lines[0] ?? 0).padStart(8)}`;
}

/** Tells the code outside of methods. */
export function isTop({ name }: MethodFacts): boolean {
  return name === topName;
}
