import { isObject } from "@editwire/core";
import { mutant, type Mutant, type Patch } from "../core/mutant.js";

/** How a text becomes what is sent. */
type Framed = (text: string, framing?: "line" | "header") => string | Uint8Array;

/** Texts of one message as serializers write it; all of them say the same. */
const forms: Readonly<Record<string, (message: unknown) => string>> = {
  "key-order": (message) => JSON.stringify(reversed(message)),
  escapes: (message) =>
    JSON.stringify(message).replace(
      /[\u0080-\uffff]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  "escaped-slashes": (message) => JSON.stringify(message).replaceAll("/", String.raw`\/`),
  // On one line: it may end the message.
  "white-space": (message) => ` ${JSON.stringify(message, null, 1).replace(/\n */g, " ")} `,
};

/** A text on a line, or with a header. */
const framedText: Framed = (text, framing = "header") =>
  Buffer.from(framing === "line" ? `${text}\n` : `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);

/**
 * Targets that write every message as another serializer would. Each decides it in `encode`; `more` are decisions
 * without which a form would change nothing.
 */
export function benignForms(prefix: string, framed: Framed = framedText, more: Patch = {}): readonly Mutant[] {
  return Object.entries(forms).map(([name, form]) =>
    mutant(`${prefix}/benign-${name}`, {
      violates: [],
      cases: ["*"],
      patch: { ...more, encode: (message: unknown, framing?: "line" | "header") => framed(form(message), framing) },
    }),
  );
}

/** The same forms as the text of a WebSocket message. */
export const benignTexts = (prefix: string, more?: Patch): readonly Mutant[] =>
  benignForms(prefix, (text) => text, more);

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, one]) => [key, reversed(one)]),
  );
}
