import type { ElicitationProperty } from "@editwire/acp-schema";
import { describe, expect, it } from "vitest";
import { formAnswer, formFields } from "../src/index.js";

const schema = (property: object, required: string[] = []) => ({
  properties: { f: property as ElicitationProperty },
  required,
});

describe("the fields of a form", () => {
  it("are those of the schema, in its order, in the terms of a view", () => {
    const fields = formFields({
      properties: {
        name: { type: "string", title: "Name", description: "Yours", default: "Ada" },
        age: { type: "integer", minimum: 0 },
        color: { type: "string", enum: ["red", "blue"] },
        size: { type: "string", oneOf: [{ const: "s", title: "Small", description: "fits" }] },
        tags: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
        days: { type: "array", items: { type: "string", enum: ["mon"] } },
        agreed: { type: "boolean" },
        chart: { type: "matrix" as never },
      },
      required: ["name"],
    });
    expect(fields.map(({ name, label, type, required }) => [name, label, type, required])).toEqual([
      ["name", "Name", "text", true],
      ["age", "age", "integer", false],
      ["color", "color", "choice", false],
      ["size", "size", "choice", false],
      ["tags", "tags", "choices", false],
      ["days", "days", "choices", false],
      ["agreed", "agreed", "boolean", false],
      ["chart", "chart", "unknown", false],
    ]);
    expect(fields[0]).toMatchObject({ description: "Yours", initial: "Ada" });
    expect(fields[3]?.choices).toEqual([{ value: "s", label: "Small", description: "fits" }]);
    expect(fields.slice(4, 6).map(({ choices }) => choices.map(({ label }) => label))).toEqual([["A"], ["mon"]]);
    expect(formFields({})).toEqual([]);
  });
});

describe("the answer to a form", () => {
  it.each([
    [{ type: "string" }, "a", "a"],
    [{ type: "number" }, " 1.5 ", 1.5],
    [{ type: "integer" }, "3", 3],
    [{ type: "boolean" }, "false", false],
    [{ type: "boolean" }, true, true],
    [{ type: "string", enum: ["a"] }, "a", "a"],
    [{ type: "array", items: { type: "string", enum: ["a", "b"] } }, ["b", "a"], ["b", "a"]],
    [{ type: "string", format: "email" }, "a@b", "a@b"],
    [{ type: "string", format: "date" }, "2028-02-29", "2028-02-29"],
    [{ type: "string", format: "date-time" }, "2028-02-29T10:00:00Z", "2028-02-29T10:00:00Z"],
    [{ type: "string", format: "uri" }, "https://a/b", "https://a/b"],
    [{ type: "string", maxLength: 1 }, "😀", "😀"],
    [{ type: "string", pattern: "^a+$" }, "aaa", "aaa"],
    [{ type: "string", pattern: "[" }, "any", "any"],
  ])("%j takes %j", (property, value, read) => {
    expect(formAnswer(schema(property, ["f"]), { f: value })).toEqual({ content: { f: read } });
  });

  it.each([
    [{ type: "string" }, 1, "expected a text"],
    [{ type: "string", minLength: 2 }, "a", "expected at least 2 characters"],
    [{ type: "string", maxLength: 1 }, "ab", "expected at most 1 character"],
    [{ type: "string", enum: ["a"] }, "b", "expected one of the choices"],
    [{ type: "string", pattern: "^a+$" }, "b", "expected a text that matches ^a+$"],
    [{ type: "string", format: "email" }, "nobody", "expected a mail address"],
    [{ type: "string", format: "date" }, "2027-02-29", "expected a date such as 2030-12-31"],
    [{ type: "string", format: "date-time" }, "2027-02-28", "expected a date and time"],
    [{ type: "string", format: "uri" }, "a b", "expected a URI"],
    [{ type: "number" }, "many", "expected a number"],
    [{ type: "number", minimum: 2 }, 1, "expected at least 2"],
    [{ type: "integer", maximum: 2 }, 3, "expected at most 2"],
    [{ type: "integer" }, 1.5, "expected a whole number"],
    [{ type: "boolean" }, "maybe", "expected yes or no"],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, "a", "expected a list of texts"],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, ["b"], "expected some of the choices"],
    [{ type: "array", items: { type: "string", enum: ["a"] } }, ["a", "a"], "expected each choice once"],
    [{ type: "array", minItems: 1, items: { type: "string", enum: ["a"] } }, [], "expected at least 1 choice"],
    [{ type: "string" }, "", "a value is required"],
  ])("%j refuses %j: %s", (property, value, message) => {
    expect(formAnswer(schema(property, ["f"]), { f: value })).toEqual({ issues: [{ field: "f", message }] });
  });

  it("has what was filled in of the form's own fields, and nothing else", () => {
    const properties = JSON.parse('{"a":{"type":"string"},"__proto__":{"type":"string"}}') as Record<
      string,
      ElicitationProperty
    >;
    const values = JSON.parse('{"a":"","__proto__":"p","other":1}') as Record<string, unknown>;
    const { content } = formAnswer({ properties }, values);
    expect(Object.entries(content ?? {})).toEqual([["__proto__", "p"]]);
  });

  it("is not held up by a pattern whose matching takes exponential time", () => {
    const value = `${"a".repeat(200)}!`;
    for (const pattern of ["^(a+)+$", "^(a|a)*$", "^(a?){60}b$"])
      expect(formAnswer(schema({ type: "string", pattern }), { f: value })).toEqual({ content: { f: value } });
  });
});
