import type { CodeIndex } from "./code-index.js";
import { type CallSite, constructorName, type MethodFacts, simpleName } from "./facts.js";
import { type Resolution, Resolver } from "./resolve.js";

/** A method, with its calls that may run another one. */
export interface Caller {
  readonly method: MethodFacts;
  readonly calls: readonly CallSite[];
  readonly isCertain: boolean;
}

/** Which methods call which, as long as the index does not change. The calls of one name are resolved once. */
export interface CallGraph {
  /** The index that the graph was opened on. */
  readonly index: CodeIndex;
  /** That of the index. */
  readonly version: number;
  /** The methods that call a method, in no order. */
  callersOf(target: MethodFacts): Caller[];
  /** The methods that a call may run. */
  targetsOf(call: CallSite, caller: MethodFacts): Resolution;
}

interface ResolvedCall extends Resolution {
  readonly call: CallSite;
}

/** A method, with its calls of one name. */
interface Site {
  readonly method: MethodFacts;
  readonly calls: readonly ResolvedCall[];
}

/** Opens the graph of the present content of an index. */
export function openCallGraph(index: CodeIndex): CallGraph {
  const resolver = new Resolver(index);
  const sites = new Map<string, readonly Site[]>();

  const sitesOf = (name: string): readonly Site[] => {
    let known = sites.get(name);
    if (known === undefined) {
      known = [...index.callers(name)].map((method) => ({
        method,
        calls: method.calls
          .filter((call) => call.name === name)
          .map((call) => ({ call, ...resolver.resolve(call, method) })),
      }));
      sites.set(name, known);
    }
    return known;
  };

  return {
    index,
    version: index.version(),
    targetsOf: (call, caller) => resolver.resolve(call, caller),
    callersOf(target) {
      const name = target.name === constructorName ? simpleName(target.owner.name) : target.name;
      return sitesOf(name).flatMap(({ method, calls }) => {
        const hits = calls.filter(({ targets }) => targets.has(target));
        if (hits.length === 0) return [];
        return [{ method, calls: hits.map(({ call }) => call), isCertain: hits.some((hit) => hit.isCertain) }];
      });
    },
  };
}
