import { acp, AcpErrorCode } from "@editwire/acp-schema";
import { ErrorCode, methodsOf, schemaToJson } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { differencesOf } from "./support/json-schema-differences.js";
import { known } from "./support/official-differences.js";
import { type Definition, errorCodesIn, messagesIn } from "./support/official-messages.js";
import { schemaOf } from "./support/official-schema.js";

const stable = schemaOf("stable");
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
    const sent = ours.map(([method, { from, kind }]) => `${from} ${kind} ${method}`);
    expect([...sent, "both notification $/cancel_request"].sort()).toEqual(
      official.map(({ method, from, kind }) => `${from} ${kind} ${method}`).sort(),
    );
  });

  test("differs from our messages only as listed", () => {
    const found = official.flatMap(({ method, kind, params, result }) => [
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

  test("has the two types of ways to sign in that our one form stands for", () => {
    const { anyOf = [] } = stable.$defs["AuthMethod"] as { anyOf?: { properties?: { type?: { const: string } } }[] };
    const types = anyOf.map(({ properties }) => properties?.type?.const);
    expect(types).toEqual(["terminal", undefined]);
  });
});
