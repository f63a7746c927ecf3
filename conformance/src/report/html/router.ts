/**
 * A place in the page, as the part of its address behind `#`: `summary`, `requirements?status=fail`, `case/<id>/<seq>`.
 */
export interface Route {
  readonly view: string;
  readonly parts: readonly string[];
  readonly query: ReadonlyMap<string, string>;
}

/** Reads an address. Never throws; what cannot be read is the summary. */
export function parseRoute(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#/, "").split("?", 2);
  const [view = "", ...parts] = path.split("/").map(decoded);
  return { view: view === "" ? "summary" : view, parts, query: new Map(new URLSearchParams(search)) };
}

/** Writes an address; empty values of the query are left out. */
export function routeTo(
  view: string,
  parts: readonly (string | number)[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  const path = [view, ...parts].map((part) => encodeURIComponent(wellFormed(String(part)))).join("/");
  return `#${path}${search === "" ? "" : `?${search}`}`;
}

/** The same text without halves of surrogate pairs, which no address can hold. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
