import { AcpErrorCode } from "@editwire/acp-schema";
import { acpV2, unsupportedVersion } from "@editwire/acp-schema/v2";
import { ErrorCode, methodsOf, schemaToJson } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { differencesOf } from "../support/json-schema-differences.js";
import { errorCodesIn, messagesIn } from "../support/official-messages.js";
import { schemaOf } from "../support/official-schema.js";
import { knownV2 } from "../support/v2-differences.js";

const file = schemaOf("v2");
const official = messagesIn(file).filter(({ method }) => method !== "$/cancel_request");
const ours = methodsOf(acpV2);

describe("the schema of version 2 of the official SDK 2.4.0", () => {
  test("has the methods of our table, sent by the same role, and no others", () => {
    expect(ours.map(([method, { from, kind }]) => `${from} ${kind} ${method}`).sort()).toEqual(
      official.map(({ method, from, kind }) => `${from} ${kind} ${method}`).sort(),
    );
  });

  test("differs from our messages only as listed", () => {
    const rows = new Map(ours);
    const found = official.flatMap(({ method, params, result }) => {
      const row = rows.get(method);
      const parts = [
        ["params", row?.params, params],
        ["result", row?.kind === "request" ? row.result : undefined, result],
      ] as const;
      return parts.flatMap(([part, schema, definition]) =>
        schema === undefined && definition === undefined
          ? []
          : differencesOf(schema && schemaToJson(schema), definition, file.$defs).map(
              (one) => `${method} ${part}${one}`,
            ),
      );
    });
    const patterns = knownV2.flatMap((one) => one.patterns);
    expect(found.filter((one) => !patterns.some((pattern) => pattern.test(one)))).toEqual([]);
    expect(patterns.filter((pattern) => !found.some((one) => pattern.test(one)))).toEqual([]);
  });

  test("has our error codes", () => {
    const codes = [...Object.values(AcpErrorCode), ...Object.values(ErrorCode), unsupportedVersion(1, [2]).code];
    expect(errorCodesIn(file)).toEqual(codes.sort((a, b) => a - b));
  });
});
