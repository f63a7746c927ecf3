import { type Form, type Forms, isObject, WireError } from "@editwire/core";
import { toJson } from "../engine/index.js";

/** A message without its envelope. */
export interface Unwrapped {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** True if it arrived in a tolerated form. */
  readonly tolerated: boolean;
}

/**
 * Puts a message into its envelope, as JSON text. Throws `invalid_params` for params without a JSON form, or that do
 * not fit the envelope.
 */
export function wrap({ form: usual, except }: Forms, name: string, params: unknown): string {
  const form = except !== undefined && Object.hasOwn(except, name) ? (except[name] ?? usual) : usual;
  const fields = params ?? {};
  if (!isObject(fields)) throw new WireError("invalid_params", `${name}: expected params to be an object`);
  const { name: tag, params: member, beside = [], time } = form;
  if (member === undefined) {
    if (Object.hasOwn(fields, tag))
      throw new WireError("invalid_params", `${name}: expected no param called "${tag}", which holds the name`);
    return toJson("invalid_params", name, "params", { [tag]: name, ...fields });
  }
  const stamp = time === undefined ? {} : { [time]: Date.now() };
  if (beside.length === 0) return toJson("invalid_params", name, "params", { [tag]: name, [member]: fields, ...stamp });
  const root: Record<string, unknown> = {};
  const inside = { ...fields };
  for (const field of beside) {
    root[field] = fields[field];
    inside[field] = undefined; // JSON leaves it out, and a copy of all but one field is much slower to make
  }
  root[tag] = name;
  root[member] = inside;
  return toJson("invalid_params", name, "params", { ...root, ...stamp });
}

/**
 * Takes a message out of its envelope. Returns a text with the reason if it is not a message. `isName` is true for the
 * names that the role sends.
 */
export function unwrap(
  { form, except, tolerated = [] }: Forms,
  message: unknown,
  isName: (name: string) => boolean,
): Unwrapped | string {
  if (!isObject(message)) return "a message is an object";
  const exception = except === undefined ? undefined : unwrapException(except, message);
  if (exception?.isMarked === true) return exception.unwrapped;
  const name = message[form.name];
  const isException = typeof name === "string" && except !== undefined && Object.hasOwn(except, name);
  if (typeof name === "string" && !isException) {
    const params = read(form, message);
    if (params !== undefined) return { name, params, tolerated: false };
  }
  for (const other of tolerated) {
    const found = message[other.name];
    const params = typeof found === "string" && isName(found) ? read(other, message) : undefined;
    if (params !== undefined) return { name: found as string, params, tolerated: true };
  }
  if (exception !== undefined) return exception.unwrapped;
  if (typeof name !== "string") return `"${form.name}" is not a string`;
  return `"${form.params ?? form.name}" is not an object`;
}

/** Reads a message that has a form of its own. It is marked if it cannot be meant in a tolerated form. */
function unwrapException(
  except: Readonly<Record<string, Form>>,
  message: Record<string, unknown>,
): { unwrapped: Unwrapped; isMarked: boolean } | undefined {
  for (const [name, own] of Object.entries(except)) {
    const params = message[own.name] === name ? read(own, message) : undefined;
    if (params === undefined) continue;
    const isMarked = own.marks === undefined || own.marks.some((member) => message[member] !== undefined);
    return { unwrapped: { name, params, tolerated: false }, isMarked };
  }
  return undefined;
}

/** The params of a message in this form; `undefined` if they are missing. Members beside them take precedence. */
function read(
  { name: tag, params: member, beside = [] }: Form,
  message: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (member === undefined) {
    const { [tag]: _name, ...params } = message;
    return params;
  }
  const inside = message[member];
  if (!isObject(inside)) return undefined;
  let params = inside;
  for (const field of beside) {
    const value = message[field];
    if (value === undefined) continue;
    // First, and in one expression: a field that is added to a copy makes it an object that is slow to read.
    params = { [field]: value, ...params };
    if (Object.hasOwn(inside, field)) params[field] = value;
  }
  return params;
}
