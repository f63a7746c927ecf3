import { isObject } from "@editwire/core";

/** Keeps what a repair replaced, under `_meta["editwire/…"]`. */
export function keepRaw(value: Record<string, unknown>, name: string, raw: unknown): Record<string, unknown> {
  const meta = isObject(value["_meta"]) ? value["_meta"] : {};
  return { ...value, _meta: { ...meta, [`editwire/${name}`]: raw } };
}
