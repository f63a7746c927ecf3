import { acp, acpProfiles } from "@editwire/acp-schema";
import { methodsOf, type Part, type Profile, validatorOf } from "@editwire/core";
import { expect, test } from "vitest";
import { frozen, methodOfFile } from "../../core/test/support/fixtures.js";
import { schema } from "./support/package.js";
import { isOfVersion1, isStated } from "./support/stated.js";

const { valid, schemaOf } = schema;

function through(profile: Profile, direction: "encode" | "decode", name: string, part: Part, value: unknown): unknown {
  return profile[direction]?.[methodOfFile(name)]?.[part]?.(value) ?? value;
}

/** Example values that version 1 writes in another form. */
const rewritten: Readonly<Record<string, object>> = {
  "session__update/params.tool-call-of-own-kind.json": {
    update: { kind: "other", _meta: { "editwire/kind": "channel" } },
  },
  "session__request_permission/params.unknown-fields.json": {
    toolCall: { _meta: { safetyLevel: 2, approvalHints: ["x"] } },
  },
};

test.each(valid.filter(({ name }) => isStated(methodOfFile(name))))(
  "$name survives the elephant wire, or is refused for what it lacks",
  ({ name, content: { part, value } }) => {
    const write = (): unknown => through(acpProfiles.spec, "encode", name, part, frozen(value));
    if (isOfVersion1(value)) {
      expect(write).toThrow('the profile "spec" does not have ');
      return;
    }
    const back = through(acpProfiles.spec, "decode", name, part, frozen(write()));
    if (methodOfFile(name) === "initialize") expect(value).toMatchObject(back as object);
    else expect(back).toEqual(value);
  },
);

test.each(valid)("$name fits after the v1 wire", ({ name, content: { part, value } }) => {
  const wire = through(acpProfiles.v1, "encode", name, part, frozen(value));
  const back = through(acpProfiles.v1, "decode", name, part, frozen(wire));
  expect(back).toMatchObject(rewritten[name] ?? (value as object));
  expect(validatorOf(schemaOf(name, part)).fits(back)).toBe(true);
  expect(through(acpProfiles.v1, "encode", name, part, back)).toEqual(wire);
});

test("the dialect of the specification refuses to send a method that the specification lacks", () => {
  const unstated = methodsOf(acp).flatMap(([method]) => (isStated(method) ? [] : [method]));
  expect(unstated).not.toEqual([]);
  for (const method of unstated) {
    expect(() => acpProfiles.spec.encode?.[method]?.params?.({})).toThrow(
      `${method}: the profile "spec" does not have this method`,
    );
    expect(() => acpProfiles.v1.encode?.[method]?.params?.({})).not.toThrow();
  }
});

test("the table names every method of the specification and its sender", () => {
  const stated = methodsOf(acp).filter(([, { spec }]) => spec !== undefined);
  expect(stated.map(([name, { from, kind, spec }]) => `${spec} ${from} ${kind} ${name}`)).toEqual([
    "5.1 client request initialize",
    "5.2 client request authenticate",
    "5.3 client request session/new",
    "5.4 client request session/load",
    "5.5 client request session/prompt",
    "5.6 client notification session/cancel",
    "5.7 client request session/set_mode",
    "6.1 agent request session/request_permission",
    "8 agent notification session/update",
  ]);
});

test("a version that is not an integer is refused with what is expected", () => {
  const [issue] = validatorOf(acp.methods.initialize.params).issues({ protocolVersion: "2025-06-18" }, "params");
  expect(issue?.message).toBe("expected an integer: versions of ACP are integers such as 1, not dates and not strings");
});
