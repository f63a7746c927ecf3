import type { CodeIndex } from "./code-index.js";
import {
  type CallSite,
  type ClassFacts,
  constructorName,
  type Expression,
  type MethodFacts,
  type Variable,
} from "./facts.js";
import { type Hierarchy, methodsIn, nearest, openHierarchy } from "./hierarchy.js";

/** The methods that a call may run. */
export interface Resolution {
  readonly targets: ReadonlySet<MethodFacts>;
  /** False when the type that the method is called on is unknown, so that only the name speaks for the targets. */
  readonly isCertain: boolean;
}

/** Where a call stands. */
interface Place {
  readonly owner: ClassFacts;
  /** Absent in the body of a class. */
  readonly method: MethodFacts | undefined;
}

/** The methods of a name in one family of languages. */
interface NamedMethods {
  /** Those outside of classes. */
  readonly functions: readonly MethodFacts[];
  /** Those that extend a type, in Kotlin. */
  readonly extensions: readonly MethodFacts[];
  readonly methods: ReadonlySet<MethodFacts>;
}

/** Types inferred through more steps than this are unknown. */
const maxSteps = 12;

/** Finds the methods that calls run, by the types that the source tells. */
export class Resolver {
  readonly #index: CodeIndex;
  readonly #hierarchy: Hierarchy;
  readonly #named = new Map<string, NamedMethods>();

  /** Works on the present content of an index. */
  constructor(index: CodeIndex) {
    this.#index = index;
    this.#hierarchy = openHierarchy(index);
  }

  /** The methods that a call may run; none for methods that the project does not declare. */
  resolve(call: CallSite, caller: MethodFacts): Resolution {
    return this.#resolve(call, { owner: caller.owner, method: caller }, 0);
  }

  #resolve({ name, on, isNew }: Pick<CallSite, "name" | "on" | "isNew">, place: Place, steps: number): Resolution {
    if (isNew) return certain(this.#constructorsOf(name, place));
    if (on === undefined) return certain(this.#unqualified(name, place));
    if (on.kind === "super")
      return certain(this.#hierarchy.above(place.owner).flatMap((one) => this.#hierarchy.inherited(one, name)));
    const types = this.#typesOf(on, place, steps + 1);
    if (types === undefined) return this.#byName(name, on, place);
    const methods = types.flatMap((one) => this.#hierarchy.methodsOn(one, name));
    return certain(methods.length > 0 ? methods : this.#extensionsOf(name, types, place));
  }

  #constructorsOf(type: string, { owner }: Place): MethodFacts[] {
    return this.#hierarchy.classesNamed(type, owner).flatMap((one) => methodsIn(one, constructorName));
  }

  #methodsNamed(name: string, { owner }: Place): NamedMethods {
    const { family } = owner.file;
    const key = `${family} ${name}`;
    let named = this.#named.get(key);
    if (named === undefined) {
      const all = [...this.#index.methods(name)].filter((method) => method.owner.file.family === family);
      const functions = all.filter((method) => method.owner.isModule);
      const extensions = all.filter((method) => method.receiver !== undefined);
      named = { functions, extensions, methods: new Set(all.filter((method) => !method.owner.isModule)) };
      this.#named.set(key, named);
    }
    return named;
  }

  /** A method of the classes around the call, or a function, or a class that is called. */
  #unqualified(name: string, place: Place): MethodFacts[] {
    for (const around of outward(place.owner)) {
      const own = this.#hierarchy.methodsOn(around, name);
      if (own.length > 0) return own;
    }
    const named = this.#methodsNamed(name, place);
    const functions = named.functions.filter(({ receiver }) => receiver === undefined);
    return functions.length > 0 ? nearest(functions, place.owner) : this.#constructorsOf(name, place);
  }

  /** The functions of the file that a call names, or else every method of that name. */
  #byName(name: string, on: Expression, place: Place): Resolution {
    const { functions, methods } = this.#methodsNamed(name, place);
    const inModule = on.kind === "name" ? functions.filter(({ owner }) => owner.name === on.name) : [];
    return inModule.length > 0 ? certain(inModule) : { targets: methods, isCertain: false };
  }

  #extensionsOf(name: string, types: readonly ClassFacts[], place: Place): MethodFacts[] {
    const names = new Set(types.map((one) => one.name));
    const { extensions } = this.#methodsNamed(name, place);
    return extensions.filter(({ receiver }) => receiver !== undefined && names.has(receiver));
  }

  /** The classes of a value: none for a type that the project does not declare, `undefined` for an unknown type. */
  #typesOf(value: Expression | undefined, place: Place, steps: number): ClassFacts[] | undefined {
    if (value === undefined || steps > maxSteps) return undefined;
    switch (value.kind) {
      case "this":
        return [place.owner];
      case "super":
        return this.#hierarchy.above(place.owner);
      case "new":
        return this.#hierarchy.classesNamed(value.type, place.owner);
      case "name":
        return this.#typesOfName(value.name, place, steps);
      case "member":
        return this.#typesOfMember(value, place, steps);
      case "call":
        return this.#typesOfResult(value, place, steps);
      case "unknown":
        return undefined;
    }
  }

  #typesOfName(name: string, place: Place, steps: number): ClassFacts[] | undefined {
    const local = place.method?.variables.get(name);
    if (local !== undefined) return this.#typesOfVariable(local, place.owner, steps);
    for (const around of outward(place.owner)) {
      const field = this.#hierarchy.fieldOn(around, name);
      if (field !== undefined) return this.#typesOfVariable(field.variable, field.owner, steps);
    }
    return this.#typesNamed(name, place);
  }

  #typesOfMember(
    { on, name }: Extract<Expression, { kind: "member" }>,
    place: Place,
    steps: number,
  ): ClassFacts[] | undefined {
    for (const one of this.#typesOf(on, place, steps + 1) ?? []) {
      const field = this.#hierarchy.fieldOn(one, name);
      if (field !== undefined) return this.#typesOfVariable(field.variable, field.owner, steps);
    }
    return this.#typesNamed(name, place);
  }

  #typesOfResult(
    { on, name }: Extract<Expression, { kind: "call" }>,
    place: Place,
    steps: number,
  ): ClassFacts[] | undefined {
    const { targets, isCertain } = this.#resolve({ name, on, isNew: false }, place, steps);
    if (!isCertain) return undefined;
    const [target] = targets;
    // A class without a constructor may be called in Kotlin and Python.
    if (target === undefined) return on === undefined ? this.#typesNamed(name, place) : undefined;
    if (target.name === constructorName) return [target.owner];
    return target.returns === undefined ? undefined : this.#hierarchy.classesNamed(target.returns, target.owner);
  }

  #typesOfVariable({ type, value, method }: Variable, owner: ClassFacts, steps: number): ClassFacts[] | undefined {
    if (type !== undefined) return this.#hierarchy.classesNamed(type, owner);
    return this.#typesOf(value, { owner, method }, steps + 1);
  }

  #typesNamed(name: string, { owner }: Place): ClassFacts[] | undefined {
    const named = this.#hierarchy.classesNamed(name, owner);
    return named.length > 0 ? named : undefined;
  }
}

function certain(methods: MethodFacts[]): Resolution {
  return { targets: new Set(methods), isCertain: true };
}

/** A class, the classes around it, and the file. */
function outward(one: ClassFacts): ClassFacts[] {
  const all: ClassFacts[] = [];
  for (let around: ClassFacts | undefined = one; around !== undefined; around = around.outer) all.push(around);
  return all;
}
