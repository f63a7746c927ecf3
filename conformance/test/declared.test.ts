import { defineProtocol, request } from "@editwire/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { patchOf } from "../src/core/mutant.js";
import { fits } from "../src/core/talk/judge.js";
import { declaredMutants, type DeclaredFacts } from "../src/packs/declared.js";

const Said = z.looseObject({ text: z.string(), note: z.string().optional() });
const table = defineProtocol({
  name: "echo",
  version: "1",
  roles: ["client", "server"],
  methods: { say: request({ from: "client", params: Said, result: Said, spec: "#say" }) },
});
const facts = (role: string, example: unknown): DeclaredFacts => ({
  prefix: `echo.${role}`,
  role,
  table,
  requirement: (method, part) => `ECHO-SCHEMA-${method}:${part}`,
  methods: ["say"],
  declared: () => [
    { at: "say:Said.text", path: ["text"] },
    { at: "say:Said.note", path: ["note"] },
    { at: "say:Note", path: ["note"] },
  ],
  examples: () => [example],
  isValid: (method, part, value) => fits(table, method, part, value) === true,
  shown: () => ({ cases: ["*"] }),
});
const full = { text: "a", note: "b" };

test("clients break each declaration of the params, the kind of the message, and the params as a whole", () => {
  const message = { jsonrpc: "2.0", id: 1, method: "say", params: full };
  const made = declaredMutants(facts("client", full)).map((one) => {
    const { outgoing } = patchOf(one) as { outgoing(message: unknown): unknown[] };
    return [one.id, outgoing(message)[0]];
  });
  expect(Object.fromEntries(made)).toEqual({
    "echo.client/wire-say-as-notification": { jsonrpc: "2.0", method: "say", params: full },
    "echo.client/wire-say-params-as-list": { ...message, params: [1] },
    "echo.client/wire-Said-text": { ...message, params: { note: "b" } },
    "echo.client/wire-Said-note": { ...message, params: { text: "a", note: 7 } },
    "echo.client/wire-Note": { ...message, params: { text: "a", note: true } },
  });
});

test("servers break each declaration of the result, and no other result", () => {
  const [text] = declaredMutants(facts("server", full));
  if (text === undefined) throw new Error("there are no mutants");
  const { result } = patchOf(text) as { result(method: string, result: unknown): unknown };
  expect([result("say", full), result("other", full)]).toEqual([{ note: "b" }, full]);
  expect(text.violates).toEqual(["ECHO-SCHEMA-say:result"]);
});

test("an example that lacks what is declared is an error", () => {
  expect(() => declaredMutants(facts("client", { text: "a" }))).toThrow('say: no example has ["note"]');
});
