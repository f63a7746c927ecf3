import { WireError } from "@editwire/core/errors";
import { findObjects, type Found } from "./objects.js";

/** Characters of a text that go into its error. */
export const excerptChars = 200;

/** A text that is not one message, and what it holds nevertheless. */
export interface Salvage {
  /** The error of the `BadFrame` for this text. */
  readonly error: WireError;
  /** The messages in the text, which are delivered after the error. */
  readonly messages: readonly Found[];
  /** The value of the `BadFrame`. */
  readonly value?: unknown;
}

/** Reads what can be read of a text that JSON cannot read as a whole. `problem` is why. */
export function salvage(text: string, problem: string, cause?: unknown): Salvage {
  const { messages, quoted, outline } = findObjects(text);
  const value = outline ?? quoted?.value;
  const found = outline ? "outline" : messages.length > 0 ? "glued" : quoted && "quoted";
  const message = messages.length > 0 ? gluedProblem(text, messages.length) : problem;
  // A slice of a text keeps the whole of it; joined characters do not.
  const excerpt = Array.from(text.slice(0, excerptChars)).join("");
  const error = new WireError("framing", message, { cause, data: { excerpt, ...(found && { found }) } });
  return { error, messages, ...(value !== undefined && { value }) };
}

function gluedProblem(text: string, count: number): string {
  return count > 1 && text.trimStart().startsWith("{")
    ? `expected one message, received ${count}`
    : "text that is not a message is attached to a message";
}
