import { acp } from "@editwire/acp-schema";
import { acpUnstable, acpUnstableProfile, unstableUpdateOf } from "@editwire/acp-schema/unstable";
import { methodsOf, type Part, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { fixtures, frozen } from "./support/fixtures.js";

interface Message {
  part: Part;
  value: Record<string, unknown>;
  /** The first place that does not fit; of those that are refused. */
  path?: string;
}
type Messages = Readonly<Record<string, readonly Message[]>>;

const [{ content: valid } = { content: {} }] = fixtures<Messages>("unstable/valid");
const [{ content: invalid } = { content: {} }] = fixtures<Messages>("unstable/invalid");
const rows = new Map(methodsOf(acpUnstable));
const cases = (messages: Messages) =>
  Object.entries(messages).flatMap(([key, list]) => list.map((message) => ({ key, ...message })));

function schemaOf(key: string, part: Part) {
  const def = rows.get(key);
  if (def === undefined) throw new Error(`there is no row ${key}`);
  return part === "result" && def.kind === "request" ? def.result : def.params;
}

describe("what is unstable", () => {
  test("has an example of every message that is not stable, and of every part", () => {
    const own = [...rows].filter(([key]) => !Object.hasOwn(acp.methods, key));
    const parts = own.flatMap(([key, { kind }]) => [`${key} params`, ...(kind === "request" ? [`${key} result`] : [])]);
    const found = new Set(cases(valid).map(({ key, part }) => `${key} ${part}`));
    expect(parts.filter((part) => !found.has(part))).toEqual([]);
  });

  test.each(cases(valid))("$key $part: $value fits, and survives the wire", ({ key, part, value }) => {
    const schema = schemaOf(key, part);
    expect(validatorOf(schema).issues(value, part)).toEqual([]);
    const wire = rows.get(key)?.wire ?? key;
    const written = acpUnstableProfile.encode?.[wire]?.[part]?.(frozen(value)) ?? value;
    expect(acpUnstableProfile.decode?.[wire]?.[part]?.(frozen(written)) ?? written).toEqual(value);
  });

  test.each(cases(valid))("$key $part: null stands for an absent field of $value", ({ key, part, value }) => {
    const schema = schemaOf(key, part);
    const dropped = acpUnstableProfile.decodeUnfit?.[rows.get(key)?.wire ?? key]?.[part];
    const read = dropped?.(frozen({ ...value, _meta: null }));
    expect(validatorOf(schema).fits(read)).toBe(true);
  });

  test.each(cases(invalid))("$key $part: $value does not fit", ({ key, part, value, path }) => {
    expect(validatorOf(schemaOf(key, part)).issues(value, part)[0]?.path).toBe(path);
  });

  test("does not take a stable update or an unknown one for its own", () => {
    for (const sessionUpdate of ["plan", "_acme", "toString"] as const)
      expect(unstableUpdateOf({ sessionUpdate } as never)).toBeUndefined();
  });
});
