import { checkFunction, checkNumber, checkObject, shown } from "./checks.js";

/** The kind of an option, if it is there: a list names the possible texts. */
export type OptionKind =
  | "any"
  | "array"
  | "boolean"
  | "function"
  | "number"
  | "object"
  | "secret"
  | "text"
  | readonly string[];

/** The kind of each option of `Options`. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

/**
 * Throws a `TypeError` for an option of the wrong type and for an unknown one. For error texts, `name` is the function
 * that got the options. An object of a class may have further fields.
 */
export function checkOptions<Options extends object>(
  name: string,
  options: Options,
  kinds: OptionKinds<Options>,
): void {
  checkObject(name, "options", options);
  const values = options as Readonly<Record<string, unknown>>;
  const names = Object.keys(kinds);
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(options) as object | null);
  const unknown = isPlain ? Object.keys(options).find((key) => !names.includes(key)) : undefined;
  if (unknown !== undefined)
    throw new TypeError(`${name}: expected no option ${unknown}; the options are ${names.join(", ")}`);
  for (const [key, kind] of Object.entries<OptionKind>(kinds)) check(name, key, values[key], kind);
}

/** The kinds of options that have this name in any binding. */
const kinds: Readonly<Record<string, OptionKind>> = {
  authenticate: "function",
  capabilities: "object",
  clientCapabilities: "object",
  clientId: "text",
  clientInfo: "object",
  cwd: "text",
  elicitation: "object",
  env: "object",
  extension: "object",
  fallback: "object",
  framing: ["ndjson", "content-length"],
  fs: "object",
  headers: "object",
  host: "text",
  hosts: "array",
  initializationOptions: "object",
  methods: "object",
  noise: ["strict", "resync"],
  origins: "array",
  path: "text",
  permission: "any",
  port: "number",
  reconnect: "object",
  signal: "object",
  signIn: "object",
  paths: ["spec"],
  strict: "boolean",
  terminals: "object",
  token: "secret",
  workspaceFolders: "array",
};

/** The names that are checked for misspellings: `kinds`, and options of every binding that say what they are. */
const spelled = [...Object.keys(kinds), "onDiagnostic", "onError", "onUpdate", "onWire", "profile", "timeoutMs"];
/** Shorter names differ from other words by one letter, as `host` from `post`. */
const minSpelled = 5;

/**
 * Throws a `TypeError` for an option that is misspelled by an `s` at its end, by the case of its letters, or by one
 * letter after the first: words that begin with another letter are often other words, as `callback` and `fallback`.
 */
function checkSpelling(name: string, key: string): void {
  if (spelled.includes(key)) return;
  const plain = (text: string): string => text.toLowerCase().replace(/s$/, "");
  const written = plain(key);
  const meant = spelled.find((option) => {
    const known = plain(option);
    return known === written || (known.length >= minSpelled && known[0] === written[0] && differsByOne(known, written));
  });
  if (meant !== undefined) throw new TypeError(`${name}: expected no option ${key}; did you mean ${meant}?`);
}

/** Whether one letter is missing, added, wrong, or swapped with the next one. */
function differsByOne(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  const isSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return isSwapped || restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1);
}

/** As `kinds`; the names of limits, times and listeners say what they are. */
function kindOf(key: string): OptionKind {
  if (/^max[A-Z]|Ms$/.test(key)) return "number";
  return /^on[A-Z]/.test(key) ? "function" : (kinds[key] ?? "any");
}

/**
 * Throws a `TypeError` for options that are not an object, and for an option of the wrong type. For error texts, `name`
 * is the function that got them, and `profiles` the object with the binding's profiles.
 */
export function checkBinding(name: string, profiles: string, options: object): void {
  checkObject(name, "options", options);
  for (const [key, value] of Object.entries(options)) {
    checkSpelling(name, key);
    check(name, key, value, kindOf(key));
  }
  const { profile } = options as { readonly profile?: unknown };
  if (profile === undefined || (typeof profile === "object" && profile !== null && "name" in profile)) return;
  throw new TypeError(`${name}: expected profile to be an object such as ${profiles}.spec, received ${shown(profile)}`);
}

function check(name: string, key: string, value: unknown, kind: OptionKind): void {
  if (value === undefined || kind === "any") return;
  const wrong = (what: string): TypeError =>
    new TypeError(`${name}: expected ${key} to be ${what}, received ${shown(value)}`);
  if (kind === "function") return checkFunction(name, key, value);
  if (kind === "number") return checkNumber(name, key, value);
  if (kind === "object") return checkObject(name, key, value);
  if (kind === "array" && !Array.isArray(value)) throw wrong("an array");
  if (kind === "boolean" && typeof value !== "boolean") throw wrong("true or false");
  // A variable of the environment that was forgotten is often an empty string.
  if (kind === "secret" && (typeof value !== "string" || value === "")) throw wrong("a string that is not empty");
  if (kind === "text" && typeof value !== "string") throw wrong("a string");
  if (typeof kind === "object" && !kind.includes(value as string)) throw wrong(`one of ${kind.join(", ")}`);
}
