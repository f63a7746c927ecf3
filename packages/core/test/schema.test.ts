import { isObject, openUnion, openUnionOf, schemaFor, schemaToJson, toJsonSchema, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Change, Note, notes } from "./support/note-protocol.js";

describe("schemaFor", () => {
  test("gives the schema back as it is", () => {
    const schema = z.looseObject({ a: z.string() });
    expect(schemaFor<{ [key: string]: unknown; a: string }>()(schema)).toBe(schema);
  });
});

describe("openUnion", () => {
  const issues = (value: unknown) => validatorOf(Change).issues(value, "params");

  test.each([
    [{ kind: "added", note: { text: "a", extra: 1 }, more: null }],
    [{ kind: "removed", id: "n-1" }],
    [{ kind: "moved", to: [1] }],
    [{ kind: "toString" }],
    [{ kind: "" }],
  ])("takes %j unchanged", (value) => {
    expect(validatorOf(Change).fits(value)).toBe(true);
    expect(Change.parse(value)).toBe(value);
  });

  test.each([
    [{ kind: "added", note: { text: 1 } }, "params.note.text", "expected string, received number"],
    [{ kind: "added" }, "params.note", "expected object, received undefined"],
    [{ kind: 5 }, "params.kind", "expected string, received number"],
    [{}, "params.kind", "expected string, received undefined"],
    [[], "params", "expected object, received array"],
    [null, "params", "expected object, received null"],
    ["added", "params", "expected object, received string"],
  ])("says where %j does not fit", (value, path, message) => {
    expect(validatorOf(Change).fits(value)).toBe(false);
    expect(issues(value)).toEqual([{ path, message }]);
  });

  test("says every place, below the place of the union", () => {
    const schema = z.looseObject({ list: z.array(Change) });
    expect(
      validatorOf(schema).issues(
        { list: [{ kind: "removed" }, { kind: "moved" }, { kind: "added", note: { stars: 1.5 } }] },
        "result",
      ),
    ).toEqual([
      { path: "result.list.0.id", message: "expected string, received undefined" },
      { path: "result.list.2.note.text", message: "expected string, received undefined" },
      { path: "result.list.2.note.stars", message: "expected int, received number" },
    ]);
  });

  test("an unknown variant has what all variants share, if the union says so", () => {
    const base = { id: z.string() };
    const Item = openUnion("kind", { a: z.looseObject({ kind: z.literal("a"), ...base }) }, z.looseObject(base));
    const { fits, issues } = validatorOf(Item);
    expect(fits({ kind: "future", id: "1", more: [null] })).toBe(true);
    expect(issues({ kind: "future" }, "item")).toEqual([
      { path: "item.id", message: "expected string, received undefined" },
    ]);
    expect(fits({ id: "1" })).toBe(false);
    expect(schemaToJson(Item)["anyOf"]).toEqual([
      expect.objectContaining({ required: ["kind", "id"] }),
      expect.objectContaining({
        properties: { id: { type: "string" }, kind: { type: "string", not: { enum: ["a"] } } },
        required: ["kind", "id"],
      }),
    ]);
  });

  test("can refuse unknown tags, naming the known ones", () => {
    const closed = openUnion("kind", { a: z.looseObject({}), b: z.looseObject({}) }, (tag) => tag.startsWith("_"));
    expect(validatorOf(closed).fits({ kind: "_mine" })).toBe(true);
    expect(validatorOf(closed).issues({ kind: "A" }, "params")).toEqual([
      { path: "params.kind", message: 'expected one of "a"|"b"' },
    ]);
  });

  test("may hold unions itself", () => {
    const outer = openUnion("type", { change: z.looseObject({ change: Change }) });
    expect(validatorOf(outer).issues({ type: "change", change: { kind: "removed", id: 1 } }, "p")).toEqual([
      { path: "p.change.id", message: "expected string, received number" },
    ]);
  });

  test("is known for one, with its variants", () => {
    expect(openUnionOf(Change)).toMatchObject({ tag: "kind" });
    expect(Object.keys(openUnionOf(Change)?.variants ?? {})).toEqual(["added", "removed"]);
    expect(openUnionOf(Note)).toBeUndefined();
  });
});

describe("JSON Schema", () => {
  test("an open union lists its variants and admits other tags", () => {
    expect(schemaToJson(Change)).toEqual({
      anyOf: [
        expect.objectContaining({
          properties: expect.objectContaining({ kind: { type: "string", const: "added" } }),
          required: ["kind", "note"],
        }),
        expect.objectContaining({ properties: { kind: { type: "string", const: "removed" }, id: { type: "string" } } }),
        {
          type: "object",
          required: ["kind"],
          properties: { kind: { type: "string", not: { enum: ["added", "removed"] } } },
        },
      ],
    });
  });

  test("a protocol lists its methods with sender, kind and parts", () => {
    const json = toJsonSchema(notes);
    expect(json).toMatchObject({ title: "notes", version: "3", $schema: expect.stringContaining("2020-12") });
    expect(Object.keys(json.methods)).toEqual(Object.keys(notes.methods));
    expect(json.methods["note/add"]).toMatchObject({
      from: "client",
      kind: "request",
      spec: "#add",
      params: { required: ["text"] },
      result: { required: ["id"] },
    });
    expect(json.methods["log"]).toEqual({
      from: "both",
      kind: "notification",
      params: { type: "object", properties: {}, additionalProperties: {} },
    });
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});

describe("validatorOf", () => {
  test("is made once per schema", () => {
    expect(validatorOf(Note)).toBe(validatorOf(Note));
  });

  test("does not copy or change what it validates", () => {
    const value = Object.freeze({ text: "a", extra: Object.freeze({}) });
    expect(validatorOf(Note).fits(value)).toBe(true);
  });

  test("an unknown value may be absent or null, an optional one not null", () => {
    const { fits } = validatorOf(z.looseObject({ any: z.unknown().optional(), text: z.string().optional() }));
    expect([fits({}), fits({ any: null }), fits({ any: undefined, text: undefined }), fits({ text: null })]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  test("has no issues with what fits", () => {
    expect(validatorOf(Note).issues({ text: "a" }, "params")).toEqual([]);
  });
});

test.each([
  [{}, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ["x", false],
])("isObject(%j) is %s", (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
