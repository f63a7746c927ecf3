import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { acp, AcpErrorCode } from "@editwire/acp-schema";
import { ErrorCode, methodsOf, schemaToJson } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { differencesOf } from "./support/json-schema-differences.js";
import { type Definition, errorCodesIn, messagesIn, type SchemaFile } from "./support/official-messages.js";
import { known, unstable } from "./support/official-differences.js";

const require = createRequire(import.meta.url);

function schemaAt(path: string): SchemaFile {
  return JSON.parse(readFileSync(path, "utf8")) as SchemaFile;
}

const stable = schemaAt(require.resolve("@agentclientprotocol/sdk/schema/v1/schema.json"));
const official = messagesIn(stable);
const ours = methodsOf(acp);

/** The differences of one part of a message, such as `session/new params.cwd: …`. */
function compare(method: string, part: "params" | "result", definition: Definition | undefined): string[] {
  const def = acp.methods[method as keyof typeof acp.methods];
  const schema = part === "params" ? def.params : "result" in def ? def.result : undefined;
  if (schema === undefined || definition === undefined) return [`${method} ${part}: only one side has it`];
  return differencesOf(schemaToJson(schema), definition, stable.$defs).map((one) => `${method} ${part}${one}`);
}

describe("the schema of the official SDK 2.4.0", () => {
  test("has the methods of our table, sent by the same role, and no others", () => {
    const sent = (list: Iterable<readonly [string, { from: string; kind: string }]>): string[] =>
      [...list].map(([method, { from, kind }]) => `${from} ${kind} ${method}`).sort();
    expect([...sent(ours), "both notification $/cancel_request"].sort()).toEqual(sent(official));
  });

  test("differs from our messages only as listed", () => {
    const found = [...official].flatMap(([method, { kind, params, result }]) => [
      ...(method === "$/cancel_request" ? [] : compare(method, "params", params)),
      ...(kind === "request" ? compare(method, "result", result) : []),
    ]);
    const patterns = known.flatMap((one) => one.patterns);
    expect(found.filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
    expect(patterns.filter((pattern) => !found.some((one) => pattern.test(one)))).toEqual([]);
  });

  test("has our error codes", () => {
    const codes = [...Object.values(AcpErrorCode), ...Object.values(ErrorCode)].sort((a, b) => a - b);
    expect(errorCodesIn(stable)).toEqual(codes);
  });

  test("marks as unstable only what is listed", () => {
    const file = schemaAt(require.resolve("@agentclientprotocol/sdk/schema/v1/schema.unstable.json"));
    const isNew = (name: string): boolean => stable.$defs[name] === undefined;
    expect(Object.keys(file.$defs).filter(isNew).sort()).toEqual([...unstable].sort());
  });
});
