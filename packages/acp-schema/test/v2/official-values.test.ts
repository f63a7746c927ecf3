import { acpV2, acpV2Profile } from "@editwire/acp-schema/v2";
import { methodsOf, type Part } from "@editwire/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { methodOfFile } from "../../../core/test/support/fixtures.js";
import { samplesOf } from "../support/json-schema-sample.js";
import { messagesIn } from "../support/official-messages.js";
import { schemaOf } from "../support/official-schema.js";
import { receive, schema } from "../support/v2-package.js";
import { withoutNulls } from "../support/without-nulls.js";

const file = schemaOf("v2");
const rows = new Map(methodsOf(acpV2));
const parts = messagesIn(file).flatMap(({ method, params, result }) =>
  rows.has(method)
    ? ([
        { method, part: "params", definition: params },
        { method, part: "result", definition: result },
      ] as const)
    : [],
);
const defined = parts.filter(({ definition }) => definition !== undefined);

/** Rules that only the texts of the schema state. */
const own = {
  AbsolutePath: fc.constantFrom("/tmp", "C:\\tmp", "\\\\host\\share"),
  SessionId: fc.string({ minLength: 1 }),
};

describe("values of the schema of the official SDK 2.4.0", () => {
  test.each(defined)("$method $part fit, and stay as they are", async ({ method, part, definition }) => {
    await fc.assert(
      fc.asyncProperty(samplesOf(definition, file.$defs, own), async (value) => {
        const { value: read, diagnostics } = await receive(acpV2Profile, method, part, value, true);
        expect(diagnostics).toEqual([]);
        expect(withoutNulls(read)).toEqual(withoutNulls(value));
      }),
      { numRuns: method === "session/update" ? 300 : 30 },
    );
  });
});

describe("our examples", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: "acp", ...file });
  const validate = (method: string, part: Part) => {
    const definition = Object.entries(file.$defs).find(
      ([name, { "x-method": own }]) => own === method && name.endsWith("Response") === (part === "result"),
    )?.[0];
    return ajv.getSchema(`acp#/$defs/${definition}`);
  };

  test("are valid in the official schema, except for what it lacks", () => {
    const refused = schema.valid
      .filter(({ name, content: { part, value } }) => validate(methodOfFile(name), part)?.(value) !== true)
      .map(({ name }) => name);
    expect(refused).toEqual(["session__update/params.compaction-without-status.json"]);
  });

  test("the official schema refuses what we refuse, except for what only its texts say and what it lacks", () => {
    const admitted = schema.invalid
      .filter(({ name, content: { part, value } }) => validate(methodOfFile(name), part)?.(value) === true)
      .map(({ name }) => name.replace(/\.json$/, ""))
      .sort();
    expect(admitted).toEqual([
      ...[
        "session__new/params.empty-system-prompt",
        "session__new/params.relative",
        "session__new/params.relative-directory",
      ],
      ...["session__prompt/params.empty-key", "session__prompt/params.long-key"],
      "session__request_permission/params.relative-command",
      ...["session__update/params.background-null", "session__update/params.markdown-without-text"],
      ...["session__update/params.relative-location", "session__update/params.subagent-without-id"],
    ]);
  });
});
