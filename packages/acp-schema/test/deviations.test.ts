import { acpProfiles } from "@editwire/acp-schema";
import type { Part } from "@editwire/core";
import { expect, test } from "vitest";
import { frozen, methodOfFile } from "../../core/test/support/fixtures.js";
import { receive, schema } from "./support/package.js";
import { isOfVersion1, isStated } from "./support/stated.js";

const said = schema.valid.filter(({ name, content }) => isStated(methodOfFile(name)) && !isOfVersion1(content.value));

test.each(said)("the elephant wire of $name passes or names a row", async ({ name, content }) => {
  const method = methodOfFile(name);
  const wire = acpProfiles.spec.encode?.[method]?.[content.part]?.(content.value) ?? content.value;
  const outcome = await receive(acpProfiles.spec, method, content.part, wire, true).then(
    ({ value }) => value,
    (error: Error) => error.message,
  );
  if (typeof outcome === "string")
    expect(outcome).toMatch(/: (C11|D11|raw-input|unknown-update|unknown-tool-content): /);
  else if (method === "initialize") expect(content.value).toMatchObject(outcome as object);
  else expect(outcome).toEqual(content.value);
});

test.each([
  ["session/load", {}],
  ["session/set_mode", {}],
  ["authenticate", {}],
] as const)(
  "a null result of %s is an empty one in every profile, and no deviation (C14, C26)",
  async (method, value) => {
    for (const profile of [acpProfiles.spec, acpProfiles.v1]) {
      for (const strict of [false, true])
        expect(await receive(profile, method, "result", null, strict)).toEqual({ value, diagnostics: [] });
    }
  },
);

test.each([
  ["mcpServers are not made up (C7)", "session/new", { cwd: "/tmp" }, "params.mcpServers"],
  ["a version is not guessed from a string (C25)", "initialize", { protocolVersion: "1" }, "params.protocolVersion"],
] as const)("%s", async (_, method, wire, path) => {
  for (const profile of [acpProfiles.spec, acpProfiles.v1])
    await expect(receive(profile, method, "params", wire)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(path),
    });
});

test("v1 demands the version that the spec's own agent does not read (D3)", async () => {
  await expect(receive(acpProfiles.v1, "initialize", "params", {})).rejects.toMatchObject({ code: -32602 });
});

test("v1 reads its own forms without a word, even in strict mode", async () => {
  const cases: [string, Part, unknown, unknown][] = [
    [
      "session/new",
      "params",
      { cwd: "/tmp", mcpServers: [{ name: "x", command: "/x", args: [], env: [] }], _meta: null },
      { cwd: "/tmp", mcpServers: [{ type: "stdio", name: "x", command: "/x", args: [], env: [] }] },
    ],
    [
      "session/update",
      "params",
      {
        sessionId: "s",
        update: { sessionUpdate: "tool_call", toolCallId: "c", title: "t", status: null, content: null },
      },
      { sessionId: "s", update: { sessionUpdate: "tool_call", toolCallId: "c", title: "t", status: "pending" } },
    ],
    [
      "session/update",
      "params",
      { sessionId: "s", update: { sessionUpdate: "usage_update", used: 1, size: 2 } },
      { sessionId: "s", update: { sessionUpdate: "usage_update", used: 1, size: 2 } },
    ],
    ["session/new", "result", { sessionId: "s", modes: null }, { sessionId: "s" }],
  ];
  for (const [method, part, wire, value] of cases)
    expect(await receive(acpProfiles.v1, method, part, frozen(wire), true)).toEqual({ value, diagnostics: [] });
});

test("a repaired value that still does not fit is refused with the place", async () => {
  const wire = { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: { type: "TEXT" } } };
  await expect(receive(acpProfiles.spec, "session/update", "params", wire)).rejects.toMatchObject({
    code: "invalid_params",
    data: [{ path: "params.update.content.text", message: "expected string, received undefined" }],
  });
});
