/** A tool could not do what was asked; the text is for the backend. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
}

/** A JSON object. */
export type Json = Record<string, unknown>;

/** A param of a type, or its default. Throws a `ToolFailure` for a param of another type. */
export function param(params: Json, name: string, fallback: string): string;
export function param(params: Json, name: string, fallback: number): number;
export function param(params: Json, name: string, fallback: boolean): boolean;
export function param(params: Json, name: string, fallback: unknown): unknown {
  const value = params[name] ?? fallback;
  if (typeof value !== typeof fallback) throw new ToolFailure(`${name}: expected a ${typeof fallback}`);
  return value;
}

/** A number that may be absent. Throws a `ToolFailure` for anything else. */
export function optionalNumber(params: Json, name: string): number | undefined {
  return params[name] === undefined ? undefined : param(params, name, 0);
}
