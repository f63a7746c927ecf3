import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../errors.js";
import { decodeText } from "../text/encoding.js";
import { readBytesSync } from "../workspace/read.js";
import { walk } from "../workspace/walk.js";
import { extractFacts } from "./extract.js";
import { type ClassFacts, constructorName, type FileFacts, type MethodFacts, simpleName } from "./facts.js";
import { isAnalyzed, openParsers } from "./parsers.js";

/** The declarations and calls of a project, found by simple names. */
export interface CodeIndex {
  /**
   * Reads what has changed since the last time. Gives false when the time is over before the end: the rest is left for
   * the next update.
   */
  update(isOver: () => boolean): Promise<boolean>;
  /** Grows whenever the content changes. */
  version(): number;
  classes(name: string): Iterable<ClassFacts>;
  /** The classes that name this one as a type that they extend or implement. */
  subclasses(name: string): Iterable<ClassFacts>;
  methods(name: string): Iterable<MethodFacts>;
  /** The methods with a call of this name. */
  callers(name: string): Iterable<MethodFacts>;
  /** The present text of a file that was indexed. */
  read(path: string): string | undefined;
}

/** Where the index reads. */
export interface IndexOptions {
  /** Real path of the project's folder. */
  readonly root: string;
  readonly fallbackEncoding?: string | undefined;
}

interface Indexed {
  /** Changes with the file. */
  readonly stamp: string;
  /** Absent for a file that is not readable as text. */
  readonly facts: FileFacts | undefined;
}

/** Files of more bytes are generated. */
const maxFileBytes = 1024 * 1024;

/** Opens an index, which is empty until its first update. */
export function openCodeIndex({ root, fallbackEncoding }: IndexOptions): CodeIndex {
  const files = new Map<string, Indexed>();
  const tables = openTables();
  const parsers = openParsers();
  let version = 0;

  const read = (path: string): string | undefined => {
    try {
      const bytes = readBytesSync({ real: join(root, path), path, maxBytes: maxFileBytes });
      return bytes === undefined ? undefined : decodeText(path, bytes, fallbackEncoding).text;
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  };
  const replace = async (path: string, stamp: string): Promise<void> => {
    const parser = await parsers(path);
    const text = read(path);
    const facts = text === undefined || parser === undefined ? undefined : extractFacts(path, text, parser);
    forget(path);
    files.set(path, { stamp, facts });
    if (facts !== undefined) tables.add(facts);
  };
  const forget = (path: string): void => {
    version++;
    const facts = files.get(path)?.facts;
    if (facts !== undefined) tables.remove(facts);
    files.delete(path);
  };

  return {
    async update(isOver) {
      const found = stampsOf(root, isOver);
      if (found === undefined) return false;
      for (const path of [...files.keys()]) if (!found.has(path)) forget(path);
      const changed = [...found].filter(([path, stamp]) => files.get(path)?.stamp !== stamp);
      for (const [path, stamp] of changed) {
        if (isOver()) return false;
        await replace(path, stamp);
      }
      return true;
    },
    version: () => version,
    classes: (name) => tables.classes.get(name),
    subclasses: (name) => tables.subclasses.get(name),
    methods: (name) => tables.methods.get(name),
    callers: (name) => tables.callers.get(name),
    read,
  };
}

/** The files of the project that can be analyzed; `undefined` when the time is over before the end. */
function stampsOf(root: string, isOver: () => boolean): Map<string, string> | undefined {
  const stamps = new Map<string, string>();
  for (const path of walk(root)) {
    if (isOver()) return undefined;
    if (!isAnalyzed(path)) continue;
    // This runs in a worker, where waiting for each file would only take longer.
    const info = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
    if (info !== undefined) stamps.set(path, `${info.ino} ${info.size} ${info.mtimeNs} ${info.ctimeNs}`);
  }
  return stamps;
}

/** A map from names to sets. */
interface Table<Entry> {
  get(name: string): Iterable<Entry>;
  add(name: string, entry: Entry): void;
  remove(name: string, entry: Entry): void;
}

function openTable<Entry>(): Table<Entry> {
  const sets = new Map<string, Set<Entry>>();
  return {
    get: (name) => sets.get(name) ?? [],
    add(name, entry) {
      const set = sets.get(name);
      if (set === undefined) sets.set(name, new Set([entry]));
      else set.add(entry);
    },
    remove(name, entry) {
      const set = sets.get(name);
      set?.delete(entry);
      if (set?.size === 0) sets.delete(name);
    },
  };
}

interface Tables {
  readonly classes: Table<ClassFacts>;
  readonly subclasses: Table<ClassFacts>;
  readonly methods: Table<MethodFacts>;
  readonly callers: Table<MethodFacts>;
  add(facts: FileFacts): void;
  remove(facts: FileFacts): void;
}

function openTables(): Tables {
  const classes = openTable<ClassFacts>();
  const subclasses = openTable<ClassFacts>();
  const methods = openTable<MethodFacts>();
  const callers = openTable<MethodFacts>();
  const apply = (facts: FileFacts, change: "add" | "remove"): void => {
    for (const one of facts.classes) {
      for (const name of namesOf(one)) classes[change](name, one);
      for (const name of one.supers) subclasses[change](name, one);
      for (const method of one.methods) {
        methods[change](method.name, method);
        for (const { name } of method.calls) callers[change](name, method);
      }
    }
  };
  return {
    ...{ classes, subclasses, methods, callers },
    add: (facts) => apply(facts, "add"),
    remove: (facts) => apply(facts, "remove"),
  };
}

/** Kotlin calls a file `File.kt` with functions `FileKt`, too. */
function namesOf({ name, isModule, file }: ClassFacts): string[] {
  return isModule && file.path.endsWith(".kt") ? [name, `${name}Kt`] : [simpleName(name)];
}

/** The full name of a class: its package and the classes around it. */
export function fullNameOf({ name, file }: ClassFacts): string {
  return file.package === "" ? name : `${file.package}.${name}`;
}

/** A method as people write it: `Class.method`, and the class's name for a constructor. */
export function titleOf({ owner, name }: MethodFacts): string {
  return `${owner.name}.${name === constructorName ? simpleName(owner.name) : name}`;
}
