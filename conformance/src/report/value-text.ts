/**
 * The deepest nesting of a value that is written as JSON inside another value. `JSON.stringify` and readers recurse.
 */
const MAX_DEPTH = 200;

/** A value as compact JSON; one that cannot be written, such as one nested too deeply, is described in parentheses. */
export function valueText(value: unknown): string {
  return jsonOf(value) ?? `(${typeof value} that cannot be written as JSON)`;
}

/** A value as compact JSON, or `undefined` when there is no JSON of it that a reader could take. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined; // nested too deeply, circular, or a bigint
  }
}

/** Says whether a JSON text is nested more deeply than a report should be. */
export function isDeep(json: string): boolean {
  let depth = 0;
  for (let index = 0, inString = false; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}
