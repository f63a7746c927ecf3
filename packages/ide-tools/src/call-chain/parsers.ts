import { createRequire } from "node:module";
import { Language, Parser, Query } from "web-tree-sitter";
import type { Family } from "./facts.js";
import * as queries from "./queries.js";

/** A grammar, and what its parts are called. */
interface Grammar {
  readonly name: string;
  readonly family: Family;
  readonly query: string;
}

const java: Grammar = { name: "java", family: "jvm", query: queries.java };
const kotlin: Grammar = { name: "kotlin", family: "jvm", query: queries.kotlin };
const python: Grammar = { name: "python", family: "py", query: queries.python };
const typescript: Grammar = { name: "typescript", family: "js", query: queries.typescript };
const tsx: Grammar = { name: "tsx", family: "js", query: queries.typescript };

const grammars: Readonly<Record<string, Grammar>> = {
  ...{ java, kt: kotlin, kts: kotlin, py: python },
  ...{ ts: typescript, mts: typescript, cts: typescript },
  ...{ tsx, jsx: tsx, js: tsx, mjs: tsx, cjs: tsx },
};

/** Tells whether calls of a file can be analyzed, by its extension. */
export function isAnalyzed(path: string): boolean {
  return Object.hasOwn(grammars, extensionOf(path));
}

/** A parser of a language, and the query that finds the parts of its sources. */
export interface LanguageParser {
  readonly parser: Parser;
  readonly query: Query;
  readonly family: Family;
}

/** Gives the parser for a file. Grammars are loaded when they are first needed. */
export type Parsers = (path: string) => Promise<LanguageParser | undefined>;

/** Opens the parsers. */
export function openParsers(): Parsers {
  const loaded = new Map<string, Promise<LanguageParser>>();
  let started: Promise<void> | undefined;
  return async (path) => {
    const extension = extensionOf(path);
    const grammar = Object.hasOwn(grammars, extension) ? grammars[extension] : undefined;
    if (grammar === undefined) return undefined;
    started ??= Parser.init();
    await started;
    const known = loaded.get(grammar.name) ?? load(grammar);
    loaded.set(grammar.name, known);
    return known;
  };
}

async function load({ name, family, query }: Grammar): Promise<LanguageParser> {
  const file = createRequire(import.meta.url).resolve(`@cursorless/tree-sitter-wasms/out/tree-sitter-${name}.wasm`);
  const language = await Language.load(file);
  const parser = new Parser();
  parser.setLanguage(language);
  return { parser, query: new Query(language, query), family };
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
