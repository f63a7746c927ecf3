import { RE2JS, RE2JSException, RE2Set } from "re2js";

/** The decision of a `.gitignore` about a path: left out, kept although another pattern names it, or none. */
export type Verdict = "ignored" | "kept" | undefined;

/** Judges a path from the folder of the `.gitignore`, with forward slashes. */
export type IgnoreRules = (path: string, isFolder: boolean) => Verdict;

/** Patterns with wildcards that are read in one file; those after them have no effect. */
const maxWildcards = 1000;
/** Characters of a pattern; a longer one has no effect. */
const maxPatternChars = 1000;

interface Rule {
  /** The last rule that names a path decides. */
  readonly order: number;
  readonly isKept: boolean;
  readonly isFolderOnly: boolean;
}

/**
 * Reads the patterns of a `.gitignore` as Git does. Most patterns are names, which are looked up. The others are
 * matched together by an automaton, in time linear in the path's length, whatever the patterns.
 */
export function ignoreRules(text: string): IgnoreRules {
  const names = new Map<string, Rule>();
  const wildcards: Rule[] = [];
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, RE2JS.DOTALL);
  let tried = 0;
  for (const [order, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const pattern = patternOf(line);
    if (pattern === undefined) continue;
    const { glob, isAnchored, isKept, isFolderOnly } = pattern;
    const rule = { order, isKept, isFolderOnly };
    if (!/[*?[\\]/.test(glob)) names.set(`${isAnchored ? "/" : ""}${glob}${isFolderOnly ? "/" : ""}`, rule);
    else if (tried++ < maxWildcards && addTo(set, isAnchored ? glob : `**/${glob}`)) wildcards.push(rule);
  }

  return (path, isFolder) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const keys = [name, `/${path}`, ...(isFolder ? [`${name}/`, `/${path}/`] : [])];
    const found = keys.map((key) => names.get(key));
    if (wildcards.length > 0) for (const index of set.match(path)) found.push(wildcards[index]);
    let last: Rule | undefined;
    for (const rule of found)
      if (rule !== undefined && (isFolder || !rule.isFolderOnly) && !(last !== undefined && last.order > rule.order))
        last = rule;
    return last === undefined ? undefined : last.isKept ? "kept" : "ignored";
  };
}

interface Pattern {
  readonly glob: string;
  /** The pattern names a path from the folder; another one names files and folders anywhere below it. */
  readonly isAnchored: boolean;
  readonly isKept: boolean;
  readonly isFolderOnly: boolean;
}

function patternOf(line: string): Pattern | undefined {
  let glob = line.replace(/\r$/, "");
  if (glob.startsWith("#")) return undefined;
  glob = withoutSpaces(glob);
  const isKept = glob.startsWith("!");
  if (isKept) glob = glob.slice(1);
  const isFolderOnly = glob.endsWith("/");
  if (isFolderOnly) glob = glob.slice(0, -1);
  const isAnchored = glob.includes("/");
  if (glob.startsWith("/")) glob = glob.slice(1);
  return glob === "" || glob.length > maxPatternChars ? undefined : { glob, isAnchored, isKept, isFolderOnly };
}

/** Removes the spaces at the end, except those behind a backslash. */
function withoutSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  const slashes = /\\*$/.exec(text.slice(0, end))?.[0].length ?? 0;
  return text.slice(0, slashes % 2 === 1 && end < text.length ? end + 1 : end);
}

/** Adds a pattern; false for one that Git does not understand either, such as an open bracket. */
function addTo(set: RE2Set, glob: string): boolean {
  const expression = expressionOf(glob);
  if (expression === undefined) return false;
  try {
    RE2JS.compile(expression, RE2JS.DOTALL);
  } catch (error) {
    if (error instanceof RE2JSException) return false;
    throw error;
  }
  set.add(expression);
  return true;
}

/**
 * A backslash and its character, `**` in its three places, other wildcards, a class, or any character. A bracket ends a
 * class unless it is the first character of it.
 */
const bracket = /\[(?:[!^](?:\]|(?!\]))|\]|(?![!^\]]))(?:\[:\w+:\]|\\.|[^\]\\])*\]/;
const part = new RegExp(
  String.raw`\\(.)|(^|\/)\*\*(?=\/)\/?|(^|\/)\*\*(?=\\\/)|\/\*\*$|\*+|\?|${bracket.source}|([\s\S])`,
  "gu",
);

/** A pattern with wildcards as a regular expression of RE2; `undefined` for one that matches nothing. */
function expressionOf(glob: string): string | undefined {
  let isValid = true;
  const simple = glob
    .replace(/\\(.)/gu, (pair, escaped, at) => (escaped === "/" && !glob.slice(0, at).endsWith("**") ? "/" : pair))
    .replace(/\*{3,}/g, "**")
    .replace(/(^|\/)(?:\*\*\/)+/g, "$1**/");
  if (simple === "**") return ".+";
  const expression = simple.replace(
    part,
    (token: string, escaped?: string, start?: string, deep?: string, plain?: string) => {
      if (escaped !== undefined) return RE2JS.quote(escaped);
      if (start !== undefined) return `${start}(?:.*/)?`;
      if (deep !== undefined) return `${deep}.*`; // Git: with a slash that is escaped, not for no folder at all
      if (token === "/**") return "/.+";
      if (token.startsWith("*")) return "[^/]*";
      if (token === "?") return "[^/]";
      const expressed = plain === undefined ? classOf(token) : /[[\\]/.test(plain) ? undefined : RE2JS.quote(plain);
      isValid &&= expressed !== undefined;
      return expressed ?? "";
    },
  );
  return isValid ? expression : undefined;
}

/** The classes of characters with a name that have the slash, without it. */
const named: Readonly<Record<string, string>> = {
  "[:graph:]": "!-.0-~",
  "[:print:]": " -.0-~",
  "[:punct:]": "!-.:-@\\[-`{-~",
};

/** A class of characters, which never matches a slash; `undefined` for one that has nothing else. */
function classOf(token: string): string | undefined {
  const isNegated = /^\[[!^]/.test(token);
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/^\]/, "\\]");
  const inner = members
    .replace(/\[(?!:\w+:\])|&|~/g, "\\$&")
    .replace(/\\([a-zA-Z0-9])/g, "$1")
    .replace(/\[:\w+:\]/g, (name) => named[name] ?? name);
  if (isNegated) return `[^/${inner}]`;
  const left = withoutSlash(inner);
  return left === "" ? undefined : `[${left}]`;
}

/** Takes the slash out of the members of a class, also out of a range. */
function withoutSlash(members: string): string {
  return members.replace(/(\\?[^\\])-(\\?[^\\])|\\?\//gu, (member: string, from?: string, to?: string) => {
    if (from === undefined || to === undefined) return "";
    const [first = "", last = ""] = [from.at(-1), to.at(-1)];
    if (first > "/" || last < "/") return member;
    return `${first < "/" ? `${from}-.` : ""}${last > "/" ? `0-${to}` : ""}`;
  });
}
