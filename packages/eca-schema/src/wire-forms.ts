import { type Change, isAbsent, isObject, mapField, mapItems } from "@editwire/core";

/** Lets each of two names of one field be read by the other. */
export function bothNames(one: string, other: string): Change {
  return (value) => {
    if (!isObject(value)) return value;
    if (isAbsent(value[one]) && !isAbsent(value[other])) return { ...value, [one]: value[other] };
    if (isAbsent(value[other]) && !isAbsent(value[one])) return { ...value, [other]: value[one] };
    return value;
  };
}

/** Writes a field under one of its two names only. */
export function oneName(name: string, other: string): Change {
  return (value) => {
    if (!isObject(value) || value[other] === undefined) return value;
    const { [other]: same, ...rest } = value;
    return { ...rest, [name]: rest[name] ?? same };
  };
}

type Word = string | number | boolean | null | ((value: Record<string, unknown>) => unknown);

/** Fills what is absent. */
export function filled(defaults: Readonly<Record<string, Word>>): Change {
  return (value) => {
    if (!isObject(value)) return value;
    let full = value;
    for (const [key, word] of Object.entries(defaults)) {
      if (full[key] !== undefined) continue;
      const added = typeof word === "function" ? word(full) : word;
      if (added !== undefined) full = { ...full, [key]: added };
    }
    return full;
  };
}

/** Changes the words of one field, and leaves those that are not strings. */
export function words(key: string, change: (word: string) => string): Change {
  return (value) => mapField(value, key, (word) => (typeof word === "string" ? change(word) : word));
}

/** `custom-prompt` as `customPrompt`. */
export function camel(word: string): string {
  return word.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Reads the `request-id` that Emacs sends beside the newer field. */
export const readRequestId: Change = (params) =>
  isObject(params) && isAbsent(params["requestId"]) && !isAbsent(params["request-id"])
    ? { ...params, requestId: params["request-id"] }
    : params;

const outputs =
  (change: Change): Change =>
  (content) =>
    mapField(content, "outputs", (list) => mapItems(list, change));

/** Reads the output of a tool by the name that the specification gives it. */
export const readOutputText = outputs((output) =>
  isObject(output) && isAbsent(output["text"]) && typeof output["content"] === "string"
    ? { ...output, text: output["content"] }
    : output,
);

/** Writes the output of a tool under both of its names: the protocol's text has one, its first clients another. */
export const writeOutputContent = outputs(filled({ content: (output: Record<string, unknown>) => output["text"] }));

/** Drops fields that are null. */
export function withoutNulls(...keys: readonly string[]): Change {
  return (value) =>
    isObject(value) && keys.some((key) => value[key] === null)
      ? Object.fromEntries(Object.entries(value).filter(([key, word]) => !(keys.includes(key) && word === null)))
      : value;
}
