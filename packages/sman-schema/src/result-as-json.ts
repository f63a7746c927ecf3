/** The JSON value in the text of a result. `undefined` for a text that is not JSON. */
export function resultAsJson(result: string): unknown {
  try {
    return JSON.parse(result) as unknown;
  } catch {
    return undefined;
  }
}
