import { eca } from "@editwire/eca-schema";
import { methodOf, methodsOf, type Part, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { examples, fixtures, methodOfFile } from "./support/fixtures.js";

interface Fixture {
  part: Part;
  value: unknown;
  /** The first place that does not fit; invalid fixtures only. */
  path?: string;
}

const valid: { name: string; content: Fixture }[] = [...fixtures<Fixture>("valid"), ...examples()];
const invalid = fixtures<Fixture>("invalid");

function schemaOf(name: string, part: Part) {
  const def = methodOf(eca, methodOfFile(name));
  if (def === undefined || (part === "result" && def.kind !== "request"))
    throw new Error(`${name} belongs to no method`);
  return part === "result" && def.kind === "request" ? def.result : def.params;
}

test.each(valid)("valid: $name", ({ name, content: { part, value } }) => {
  const schema = schemaOf(name, part);
  expect(validatorOf(schema).issues(value, part)).toEqual([]);
  expect(validatorOf(schema).fits(value)).toBe(true);
  expect(z.parse(schema, value)).toEqual(value);
});

test.each(invalid)("invalid: $name", ({ name, content: { part, value, path } }) => {
  const validator = validatorOf(schemaOf(name, part));
  expect(validator.fits(value)).toBe(false);
  expect(validator.issues(value, part).map((issue) => issue.path)).toEqual([path]);
});

test.each(methodsOf(eca))("%s has an example of each of its parts", (method, { kind }) => {
  const parts = examples().flatMap(({ name, content }) => (methodOfFile(name) === method ? [content.part] : []));
  expect([...new Set(parts)]).toEqual(kind === "request" ? ["params", "result"] : ["params"]);
});

describe("the table", () => {
  test("names every method of the specification, its sender and its section", () => {
    const seed = methodsOf(eca).filter(([, { spec }]) => spec !== undefined);
    expect(seed.map(([name, { from, kind, spec }]) => `${from} ${kind} ${name} ${spec}`)).toEqual([
      "client request initialize #initialize",
      "client notification initialized #initialized",
      "client request shutdown #shutdown",
      "client notification exit #exit",
      "client request chat/prompt #chat-prompt",
      "server notification chat/contentReceived #chat-content-received",
      "client notification chat/toolCallApprove #chat-approve-tool-call",
      "client notification chat/toolCallReject #chat-reject-tool-call",
      "client request chat/queryContext #chat-query-context",
      "client request chat/queryCommands #chat-query-commands",
      "client notification chat/promptStop #chat-stop-prompt",
      "client request chat/delete #chat-delete",
      "server notification tool/serverUpdated #tool-updated",
      "client notification mcp/stopServer #stop-mcp-server",
      "client notification mcp/startServer #start-mcp-server",
      "server notification $/showMessage #showmessage",
    ]);
  });

  test("lets a server or client of 2025 leave out what came later", () => {
    for (const [name, def] of methodsOf(eca))
      if (def.kind === "request") expect(def.optional === true, name).toBe(def.spec === undefined);
  });
});
