import { methodsOf } from "@editwire/core";
import {
  addedMessages,
  isSmanToolName,
  resultAsJson,
  sman,
  smanEnvelope,
  smanProfiles,
  smanToolDefaults,
  smanTools,
} from "@editwire/sman-schema";
import { describe, expect, test } from "vitest";
import { methodOfFile } from "../../core/test/support/fixtures.js";
import { receive, schema, send } from "./support/package.js";

const added = schema.valid.filter(({ name }) => addedMessages.includes(methodOfFile(name)));

test("the table names every message of the specification and of v2, and its sender", () => {
  const rows = methodsOf(sman).map(([name, { from, kind }]) => `${from} ${kind} ${name}`);
  expect(rows[0]).toBe("backend request TOOL_CALL");
  expect(sman.methods.TOOL_CALL.reply).toMatchObject({ name: "TOOL_RESULT", by: "toolCallId" });
  expect(rows.slice(1).map((row) => row.split(" ")[2])).toEqual(addedMessages);
});

test("a call is flat, and everything else is in data (C02, C03)", () => {
  expect(smanEnvelope.backend.except?.["TOOL_CALL"]).toMatchObject({ name: "type" });
  expect(smanEnvelope.backend.except?.["TOOL_CALL"]).not.toHaveProperty("params");
  expect(smanEnvelope.plugin.form).toEqual({ name: "type", params: "data" });
});

test("the tools have the defaults of the specification", () => {
  expect(Object.keys(smanTools)).toEqual(["grep_file", "read_file", "call_chain", "apply_change"]);
  expect(smanToolDefaults).toEqual({
    grep_file: { regex: false, case_sensitive: false, context_lines: 0, limit: 20, file_type: "all" },
    read_file: { context_lines: 20 },
    call_chain: { direction: "both", depth: 1, includeSource: false },
    apply_change: {},
  });
  expect([isSmanToolName("grep_file"), isSmanToolName("toString")]).toEqual([true, false]);
});

test("a result is a text, which is parsed only when it is asked for (reading 5)", () => {
  expect([resultAsJson('{"a":[1]}'), resultAsJson("## Title"), resultAsJson("")]).toEqual([
    { a: [1] },
    undefined,
    undefined,
  ]);
});

describe("the profile spec", () => {
  test.each(added)("does not send $name", ({ name, content: { value } }) => {
    expect(() => send(smanProfiles.spec, methodOfFile(name), value)).toThrow(
      expect.objectContaining({ code: "invalid_params", message: expect.stringContaining("v2") }),
    );
  });
});

describe("the profile v2", () => {
  test.each(added)("sends and reads $name, also in strict mode", async ({ name, content: { value } }) => {
    const method = methodOfFile(name);
    const wire = send(smanProfiles.v2, method, value);
    const { value: back, diagnostics } = await receive(smanProfiles.v2, method, "params", wire, true);
    expect([back, diagnostics]).toEqual([value, []]);
  });
});

test("a profile's behavior is in its traits and not in its name", () => {
  expect(Object.keys(smanProfiles)).toEqual(Object.values(smanProfiles).map(({ name }) => name));
  expect(Object.values(smanProfiles).map(({ traits }) => traits.conversation)).toEqual([false, true]);
});
