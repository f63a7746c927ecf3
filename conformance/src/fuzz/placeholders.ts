import { isObject } from "@editwire/core";

/** Takes the place of the id of a session, or of a chat, in a message that is kept. */
export const SESSION = "$session";
/** Takes the place of a request's id: a number, and a string. */
export const ID = "$id";
export const TEXT_ID = "$text-id";
/** Takes the place of the id of the prompt that runs. */
export const PROMPT = "$prompt";
/** Takes the place of the id of a session's thread. */
export const THREAD = "$thread";
/** Takes the place of a text that is too long to be kept. */
export const LONG = "$long";

/** A template with its placeholders filled in, wherever they stand. */
export function fill(value: unknown, values: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") return Object.hasOwn(values, value) ? values[value] : value;
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, values)]));
}
