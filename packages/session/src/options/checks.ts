/** Throws a `TypeError` for a value that is not an object. */
export function checkObject(name: string, what: string, value: unknown): void {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new TypeError(`${name}: expected ${what} to be an object, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is not an object with the handler `key` of a turn. */
export function checkHandler(name: string, what: string, value: unknown, key: string): void {
  checkObject(name, what, value);
  const handler = (value as Readonly<Record<string, unknown>>)[key];
  if (typeof handler !== "function")
    throw new TypeError(`${name}: expected ${what} to have a function ${key}(turn), received ${shown(handler)}`);
}

/** Throws a `TypeError` for a value that is not an array. */
export function checkArray(name: string, what: string, value: unknown): void {
  if (!Array.isArray(value)) throw new TypeError(`${name}: expected ${what} to be an array, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is not a string, or is empty. */
export function checkText(name: string, what: string, value: unknown): void {
  if (typeof value !== "string" || value === "")
    throw new TypeError(`${name}: expected ${what} to be a string that is not empty, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is neither a function nor undefined. */
export function checkFunction(name: string, what: string, value: unknown): void {
  if (value !== undefined) checkCallable(name, what, value);
}

/** Throws a `TypeError` for members of an object, such as `fs`, that are there and are no functions. */
export function checkFunctions(name: string, what: string, holder: object | undefined, keys: readonly string[]): void {
  const members = (holder ?? {}) as Readonly<Record<string, unknown>>;
  for (const key of keys) checkFunction(name, `${what}.${key}`, members[key]);
}

/** Throws a `TypeError` for what cannot decide about permissions. */
export function checkPermission(name: string, value: unknown): void {
  if (value !== undefined && value !== "manual" && typeof value !== "function")
    throw new TypeError(`${name}: expected permission to be a function or "manual", received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is not a function. */
export function checkCallable(name: string, what: string, value: unknown): void {
  if (typeof value !== "function")
    throw new TypeError(`${name}: expected ${what} to be a function, received ${shown(value)}`);
}

/** Throws a `TypeError` for a value that is neither a number from 0 on nor undefined. */
export function checkNumber(name: string, what: string, value: unknown): void {
  if (value !== undefined && !(typeof value === "number" && value >= 0))
    throw new TypeError(`${name}: expected ${what} to be a number from 0 on, received ${shown(value)}`);
}

/** A value in an error text. */
export function shown(value: unknown): string {
  if (typeof value === "string")
    return `the string ${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)}`;
  if (value === null || value === undefined || typeof value === "boolean") return String(value);
  if (typeof value === "number") return `the number ${value}`;
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
