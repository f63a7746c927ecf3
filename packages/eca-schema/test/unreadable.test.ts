import { eca, ecaProfiles } from "@editwire/eca-schema";
import { isObject, methodOf, type Part, validatorOf } from "@editwire/core";
import { expect, test } from "vitest";
import { examples, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/package.js";

/** Copies of a value, in each of which one list has an element that nothing can read. */
function spoiled(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [[7, ...value], ...value.flatMap((item, at) => spoiled(item).map((bad) => value.with(at, bad)))];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => spoiled(item).map((bad) => ({ ...value, [key]: bad })));
}

interface Case {
  readonly name: string;
  readonly method: string;
  readonly part: Part;
  readonly wire: unknown;
  readonly good: unknown;
}

/** Every list in what a server sends, and in what a client adds to a prompt or a query. */
const cases: Case[] = examples().flatMap(({ name, content: { part, value } }) => {
  const method = methodOfFile(name);
  const def = methodOf(eca, method);
  const ofServer = part === "result" ? def?.from === "client" : def?.from === "server";
  if (!ofServer && !(part === "params" && "contexts" in value)) return [];
  const schema = part === "result" && def?.kind === "request" ? def.result : def?.params;
  return spoiled(value).flatMap((wire, index) =>
    schema === undefined || validatorOf(schema).fits(wire)
      ? []
      : [{ name: `${name} ${index}`, method, part, wire, good: value }],
  );
});

const inDetails = (wire: unknown): boolean => JSON.stringify(wire).includes('"details":{"type":"task"');

test.each(cases.filter(({ wire }) => !inDetails(wire)))(
  "one unreadable element costs no other: $name",
  async ({ method, part, wire, good }) => {
    const { v2026 } = ecaProfiles;
    const { value, diagnostics } = await receive(v2026, method, part, wire);
    expect(value).toEqual((await receive(v2026, method, part, good)).value);
    expect(diagnostics.map(({ id }) => id)).toEqual(["unreadable-element"]);
  },
);

test("details of a tool call are whole or absent, since a user may decide by them", async () => {
  const commands = [{ command: "rm", args: ["-r", "/x"] }, 7];
  const run = {
    type: "toolCallRun",
    origin: "native",
    id: "t",
    name: "sh",
    server: "eca",
    arguments: {},
    manualApproval: true,
  };
  const wire = { chatId: "c", role: "assistant", content: { ...run, details: { type: "shellCommand", commands } } };
  const { value, diagnostics } = await receive(ecaProfiles.v2026, "chat/contentReceived", "params", wire);
  expect(value).toEqual({ ...wire, content: run });
  expect(diagnostics.map(({ id }) => id)).toEqual(["unreadable-field"]);
});

test("the arguments of a command that a client wants run are all read or none", async () => {
  const wire = { name: "x", command: "npx", args: ["-y", 7] };
  await expect(receive(ecaProfiles.v2026, "mcp/addServer", "params", wire)).rejects.toMatchObject({ code: -32_602 });
});
