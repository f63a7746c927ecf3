import { checkFunction, checkNumber, checkObject, shown } from "./checks.js";

/** What an option must be, if it is there: a list names the texts that it can be. */
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

/** What each option of `Options` must be. */
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

/** What an option must be that has this name in any binding. */
const kinds: Readonly<Record<string, OptionKind>> = {
  authenticate: "function",
  capabilities: "object",
  clientCapabilities: "object",
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
  strict: "boolean",
  terminals: "object",
  token: "secret",
  workspaceFolders: "array",
};

/** Throws a `TypeError` for an option that is misspelled by an `s` at its end, or by the case of its letters. */
function checkSpelling(name: string, key: string): void {
  if (Object.hasOwn(kinds, key)) return;
  const plain = (text: string): string => text.toLowerCase().replace(/s$/, "");
  const meant = Object.keys(kinds).find((known) => plain(known) === plain(key));
  if (meant !== undefined) throw new TypeError(`${name}: expected no option ${key}; did you mean ${meant}?`);
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
