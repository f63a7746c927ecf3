import { type CodeIndex, fullNameOf } from "./code-index.js";
import { type ClassFacts, type MethodFacts, simpleName, type Variable } from "./facts.js";

/** A field, with the class that declares it. */
export interface Field {
  readonly variable: Variable;
  readonly owner: ClassFacts;
}

/** Classes by name, and what they inherit. */
export interface Hierarchy {
  /** The classes of a name that a source sees. */
  classesNamed(name: string, from: ClassFacts): ClassFacts[];
  /** The classes that a class extends or implements. */
  above(one: ClassFacts): ClassFacts[];
  /** The nearest declarations of a method, in the class or above it. */
  inherited(one: ClassFacts, name: string): MethodFacts[];
  /** The methods that a call on an object of a class may run: the nearest one, and those that override it. */
  methodsOn(one: ClassFacts, name: string): MethodFacts[];
  fieldOn(one: ClassFacts, name: string): Field | undefined;
}

/** Superclasses of superclasses, and so on, that are looked at. */
const maxHeight = 20;

/** Opens the hierarchy of the classes in an index. */
export function openHierarchy(index: CodeIndex): Hierarchy {
  const classesNamed = (name: string, from: ClassFacts): ClassFacts[] =>
    nearest(
      [...index.classes(name)].filter(({ isModule, file }) => !isModule && file.family === from.file.family),
      from,
    );
  const above = (one: ClassFacts): ClassFacts[] => one.supers.flatMap((name) => classesNamed(name, one));
  const below = (one: ClassFacts): ClassFacts[] =>
    [...index.subclasses(simpleName(one.name))].filter((sub) => above(sub).includes(one));
  const inherited = (one: ClassFacts, name: string): MethodFacts[] =>
    climb(one, above, (each) => methodsIn(each, name));

  return {
    classesNamed,
    above,
    inherited,
    methodsOn(one, name) {
      const overriding = everyBelow(one, below).flatMap((each) => methodsIn(each, name));
      return [...inherited(one, name), ...overriding];
    },
    fieldOn(one, name) {
      const [field] = climb(one, above, (owner) => {
        const variable = owner.fields.get(name);
        return variable === undefined ? [] : [{ variable, owner }];
      });
      return field;
    },
  };
}

/** The methods of a name that a class declares itself. */
export function methodsIn(one: ClassFacts, name: string): MethodFacts[] {
  return one.methods.filter((method) => method.name === name);
}

/** Searches a class and then, level by level, the classes above it. Stops at the first level that has a result. */
function climb<Found>(
  from: ClassFacts,
  above: (one: ClassFacts) => ClassFacts[],
  find: (one: ClassFacts) => Found[],
): Found[] {
  let level = [from];
  const seen = new Set<ClassFacts>();
  for (let height = 0; level.length > 0 && height < maxHeight; height++) {
    const found = level.flatMap(find);
    if (found.length > 0) return found;
    for (const one of level) seen.add(one);
    level = [...new Set(level.flatMap(above))].filter((one) => !seen.has(one));
  }
  return [];
}

function everyBelow(one: ClassFacts, below: (one: ClassFacts) => ClassFacts[]): ClassFacts[] {
  const seen = new Set<ClassFacts>();
  const open = below(one);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next) || next === one) continue;
    seen.add(next);
    open.push(...below(next));
  }
  return [...seen];
}

/** Of declarations with one name, those that a source sees: in its file, imported, in its package, or else all. */
export function nearest<Declaration extends ClassFacts | MethodFacts>(
  all: Declaration[],
  from: ClassFacts,
): Declaration[] {
  if (all.length < 2) return all;
  const classOf = (one: Declaration): ClassFacts => ("owner" in one ? one.owner : one);
  const here = all.filter((one) => classOf(one).file === from.file);
  if (here.length > 0) return here;
  const imports = new Set(from.file.imports);
  const imported = all.filter((one) => imports.has(fullNameOf(classOf(one))));
  if (imported.length > 0) return imported;
  const beside = from.file.package === "" ? [] : all.filter((one) => classOf(one).file.package === from.file.package);
  return beside.length > 0 ? beside : all;
}
