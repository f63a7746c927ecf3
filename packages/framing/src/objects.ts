/** An object that was found in a text with more in it. */
export interface Found {
  readonly value: unknown;
  /** Its JSON text. */
  readonly text: string;
}

/** The objects in a text that is not JSON. */
export interface Objects {
  /**
   * The messages that the text surely holds, in order. Each is a whole object: at the beginning, behind another one, or
   * behind noise that cannot introduce it.
   */
  readonly messages: readonly Found[];
  /** A whole object behind text that may quote it, as a line of a log does: `sent: {…}`. */
  readonly quoted: Found | undefined;
  /**
   * The members of an object that is broken or unfinished. An object among them has its own members; lists, and objects
   * deeper than that, are null.
   */
  readonly outline: Readonly<Record<string, unknown>> | undefined;
}

/** Objects of a text that may be broken or quoted before the rest is given up. */
const maxMisses = 16;
/** Characters of noise whose end is judged. */
const maxNoiseChars = 1_024;
const maxMembers = 32;

const beginning = /\{\s*"/g;
const scalar = /\s*:\s*(?:(-?\d[\d.eE+-]*|true|false|null)(?=[\s,}]))?/y;

/** Titles, colours and other commands for a terminal, single controls except the tab, and byte order marks. */
const controls = new RegExp(
  [
    /\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?/,
    /\u001b\[[0-?]*[ -/]*[@-~]/,
    /\u001b[ -/]*[0-~]/,
    /[\0-\x08\n-\x1f\x7f-\x9f\uFEFF\uFFFD]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);
/** A text with another end, such as a colon or a blank, may introduce an object. */
const cannotIntroduce = /[\p{L}\p{N}\p{So}.!?…)]$/u;

/** Looks for messages in a text that JSON cannot read as a whole. Takes a time that grows with the text's length. */
export function findObjects(text: string): Objects {
  const messages: Found[] = [];
  let quoted: Found | undefined;
  let broken: { readonly at: number; readonly before: number; readonly isIntroduced: boolean } | undefined;
  let from = 0;
  let budget = 4 * text.length;
  beginning.lastIndex = 0;
  for (let misses = 0; misses < maxMisses && budget > 0; ) {
    const at = beginning.exec(text)?.index;
    if (at === undefined) break;
    const end = endOfObject(text, at);
    const object = end < 0 ? undefined : parsed(text.slice(at, end));
    const isIntroduced = introduces(text.slice(Math.max(from, at - maxNoiseChars), at));
    if (object !== undefined) beginning.lastIndex = end;
    if (object !== undefined && !isIntroduced) {
      messages.push(object);
      from = end;
      continue;
    }
    misses++;
    budget -= (end < 0 ? text.length : end) - at;
    // Objects inside a broken object are not messages.
    if (object === undefined) broken ??= { at, before: messages.length, isIntroduced };
    else if (broken === undefined) quoted ??= object;
  }
  const outline = broken === undefined || broken.isIntroduced ? undefined : outlineOf(text, broken.at);
  // Behind a broken object, only one that ends the text is surely not part of it.
  const areSure = broken === undefined || isNoise(text.slice(from));
  return { messages: areSure ? messages : messages.slice(0, broken?.before), quoted, outline };
}

function parsed(text: string): Found | undefined {
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    return undefined;
  }
}

function introduces(noise: string): boolean {
  const shown = noise.replace(controls, "");
  return shown.trim() !== "" && !cannotIntroduce.test(shown);
}

function isNoise(rest: string): boolean {
  return rest.replace(controls, "").trim() === "";
}

/** The position behind an object, or -1 if it does not end. */
function endOfObject(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

/** The position of the quote that ends the string which begins at `at`, or -1. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return -1;
}

function outlineOf(text: string, at: number, isInner = false): Readonly<Record<string, unknown>> {
  const members: [string, unknown][] = [];
  let depth = 0;
  for (let i = at; i < text.length && members.length < maxMembers; i++) {
    const character = text[i];
    if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) break;
    if (character !== '"') continue;
    const end = endOfString(text, i);
    if (end < 0) break;
    if (depth === 1) members.push(...memberAt(text, i, end, isInner));
    i = end;
  }
  return Object.fromEntries(members);
}

/** The member whose name is the string between two positions; none if that is no name. */
function memberAt(text: string, nameAt: number, nameEnd: number, isInner: boolean): readonly [string, unknown][] {
  scalar.lastIndex = nameEnd + 1;
  const found = scalar.exec(text);
  const name = found && parsed(text.slice(nameAt, nameEnd + 1));
  if (!found || !name) return [];
  const { lastIndex: at } = scalar;
  if (text[at] === "{" && !isInner) return [[String(name.value), outlineOf(text, at, true)]];
  const json = text[at] === '"' ? text.slice(at, endOfString(text, at) + 1) : (found[1] ?? "null");
  return [[String(name.value), parsed(json)?.value ?? null]];
}
