import { type Change, isObject, mapField, methodsOf, type Rewrites } from "@editwire/core";
import { eca, type EcaProfile } from "@editwire/eca-schema";

/**
 * A copy of a profile for one connection. A client that writes the id of a chat as a number, as eca-nvim of 2025 does,
 * gets that number back, because it would not recognize the text.
 */
export function withNumericIds(profile: EcaProfile): EcaProfile {
  const numbers = new Set<string>();
  const note: Change = (value) => {
    const id = isObject(value) ? value["chatId"] : undefined;
    if (typeof id === "number" && numbers.size < maxNumbers) numbers.add(String(id));
    return value;
  };
  const restore: Change = (value) =>
    mapField(value, "chatId", (id) => (typeof id === "string" && numbers.has(id) ? Number(id) : id));
  return { ...profile, decode: before(note, profile.decode), encode: after(restore, profile.encode) };
}

/** Numbers that one connection remembers. */
const maxNumbers = 10_000;

function before(change: Change, rewrites: Rewrites | undefined): Rewrites {
  return everywhere((method, part) => {
    const next = rewrites?.[method]?.[part];
    return (value) => (next === undefined ? change(value) : next(change(value)));
  });
}

function after(change: Change, rewrites: Rewrites | undefined): Rewrites {
  return everywhere((method, part) => {
    const first = rewrites?.[method]?.[part];
    return (value) => change(first === undefined ? value : first(value));
  });
}

function everywhere(rewrite: (method: string, part: "params" | "result") => Change): Rewrites {
  return Object.fromEntries(
    methodsOf(eca).map(([method]) => [
      method,
      { params: rewrite(method, "params"), result: rewrite(method, "result") },
    ]),
  );
}
