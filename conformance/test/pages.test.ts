import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isObject } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { registryIn } from "../src/core/registry/select-in.js";
import { acp } from "../src/index.js";

const registry = acp.registry();
const inV1 = registryIn(registry, "v1");
const statements = registry.statements.filter(({ profile }) => profile === "v1");

describe("the quotes of the official schema", () => {
  const path = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk/schema/v1/schema.json");
  const schema = JSON.parse(readFileSync(path, "utf8")) as { $defs: Record<string, { required?: string[] }> };
  const descriptions = [...descriptionsIn(schema)].map((text) => text.replace(/\s+/g, " "));

  test.each(statements.filter(({ anchor }) => anchor.startsWith("schema#")))("$anchor", ({ anchor, text }) => {
    const [, type = ""] = /#(.+):/.exec(anchor) ?? [];
    const required = schema.$defs[type]?.required?.join(", ") ?? "nothing";
    const isThere = text.startsWith("required: ")
      ? text === `required: ${required}`
      : descriptions.some((description) => description.includes(text));
    expect(isThere).toBe(true);
  });
});

describe("the registry in the official dialect", () => {
  const rowOf = (id: string, of = inV1) => of.byId.get(id);

  test("has the quotes, the level and the basis that its own pages give", () => {
    expect(rowOf("ACP-SESSION-012", registry)).toMatchObject({ level: "should", basis: "interop", quotes: [] });
    expect(rowOf("ACP-SESSION-012")).toMatchObject({
      level: "must",
      basis: "stated",
      quotes: [{ at: "session-setup#checking-support:1" }],
    });
  });

  test("has no quote of the specification, so what only that says is not stated", () => {
    const anchors = new Set(statements.map(({ anchor }) => anchor));
    expect(inV1.requirements.flatMap(({ quotes }) => quotes).filter(({ at }) => !anchors.has(at))).toEqual([]);
    expect(rowOf("ACP-TURN-005", registry)?.basis).toBe("inferred");
    expect(rowOf("ACP-TURN-005")).toMatchObject({ basis: "interop", quotes: [] });
  });

  test("is the registry itself for the specification's own dialect", () => {
    expect(registryIn(registry, "spec")).toBe(registry);
  });
});

function* descriptionsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const item of value) yield* descriptionsIn(item);
  if (!isObject(value)) return;
  if (typeof value["description"] === "string") yield value["description"];
  for (const inner of Object.values(value)) yield* descriptionsIn(inner);
}
