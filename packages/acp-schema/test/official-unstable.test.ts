import { methodsOf, schemaToJson } from "@editwire/core";
import { acpUnstable } from "@editwire/acp-schema/unstable";
import { describe, expect, test } from "vitest";
import { differencesOf } from "./support/json-schema-differences.js";
import { known } from "./support/official-differences.js";
import { schemaOf } from "./support/official-schema.js";
import { messagesIn, type OfficialMessage } from "./support/official-messages.js";
import { knownUnstable } from "./support/unstable-differences.js";

const file = schemaOf("unstable");
const official = messagesIn(file);

/** The definition of one side of a message: of the row with this kind and name on the wire. */
const ours = methodsOf(acpUnstable).map(([key, def]) => ({ method: def.wire ?? key, def }));
const patterns = [...known, ...knownUnstable].flatMap((one) => one.patterns);

function differences({ method, kind, params, result }: OfficialMessage): string[] {
  const row = ours.find(({ method: name, def }) => name === method && def.kind === kind)?.def;
  if (row === undefined) return [`${kind} ${method}: only there`];
  const parts = [["params", row.params, params] as const];
  const both = row.kind === "request" ? [...parts, ["result", row.result, result] as const] : parts;
  return both.flatMap(([part, schema, definition]) =>
    definition === undefined
      ? [`${method} ${part}: only here`]
      : differencesOf(schemaToJson(schema), definition, file.$defs).map((one) => `${method} ${part}${one}`),
  );
}

describe("the unstable schema of the official SDK 2.4.0", () => {
  test("has the methods of our table, sent by the same role, and no others", () => {
    const sent = ours.map(({ method, def: { from, kind } }) => `${from} ${kind} ${method}`);
    expect([...sent, "both notification $/cancel_request"].sort()).toEqual(
      official.map(({ method, from, kind }) => `${from} ${kind} ${method}`).sort(),
    );
  });

  test("differs from our messages only as listed", () => {
    const found = official.filter(({ method }) => method !== "$/cancel_request").flatMap(differences);
    expect(found.filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
    const stale = knownUnstable.flatMap((one) => one.patterns).filter((one) => !found.some((text) => one.test(text)));
    expect(stale).toEqual([]);
  });
});
