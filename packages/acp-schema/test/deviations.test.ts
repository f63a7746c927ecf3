import { acp, acpProfiles } from "@editwire/acp-schema";
import { methodOf, type Part, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { fixtures, frozen } from "./support/fixtures.js";
import { receive } from "./support/receive.js";
import { isOfVersion1, isStated } from "./support/stated.js";

interface Fixture {
  id: string;
  profile: "spec" | "v1";
  method: string;
  part: Part;
  wire: unknown;
  /** Absent where the value is usable as it is, so that only strict mode minds. */
  repaired?: unknown;
}

const profiles = acpProfiles;
const all = fixtures<Fixture>("deviations");

describe("tolerant", () => {
  test.each(all.filter(({ content }) => content.repaired !== undefined))("$name is repaired", async ({ content }) => {
    const { value, diagnostics } = await receive(
      profiles[content.profile],
      content.method,
      content.part,
      frozen(content.wire),
    );
    expect(value).toEqual(content.repaired);
    expect(diagnostics.map(({ id, method }) => ({ id, method }))).toContainEqual({
      id: content.id,
      method: content.method,
    });
  });

  test.each(all.filter(({ content }) => content.repaired === undefined))(
    "$name passes as it is",
    async ({ content }) => {
      const { value, diagnostics } = await receive(
        profiles[content.profile],
        content.method,
        content.part,
        frozen(content.wire),
      );
      expect(value).toEqual(content.wire);
      expect(diagnostics).toEqual([]);
    },
  );
});

describe("strict", () => {
  test.each(all)("$name is refused by its id", async ({ content }) => {
    const { profile, method, part, wire, id } = content;
    await expect(receive(profiles[profile], method, part, frozen(wire), true)).rejects.toThrow(
      `${method}: ${part}: ${id}: `,
    );
  });

  const methodOfFile = (name: string): string => (name.split(/[/\\]/)[0] ?? "").replaceAll("__", "/");

  const said = fixtures<{ part: Part; value: unknown }>("valid").filter(
    ({ name, content }) => isStated(methodOfFile(name)) && !isOfVersion1(content.value),
  );

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
});

describe("rows", () => {
  const rows = Object.entries(profiles).flatMap(([profile, { deviations = [] }]) =>
    deviations.map((row) => ({ profile, row })),
  );

  test("each has a fixture in its profile, or shares one with the other profile", () => {
    const covered = new Set(all.map(({ content }) => content.id));
    expect([...new Set(rows.map(({ row }) => row.id))].filter((id) => !covered.has(id))).toEqual([]);
  });

  test("each says what is sent, where and by whom", () => {
    for (const { row } of rows) {
      expect(row.summary).toMatch(/^[^.]+$/);
      expect(row.seen).not.toBe("");
      for (const method of row.methods) expect(methodOf(acp, method), row.id).toBeDefined();
    }
  });

  test("none fails on a value of any other shape, or claims a repair that it does not make", () => {
    for (const value of [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { update: null },
      { update: [] },
      { outcome: 1 },
      { prompt: {} },
    ]) {
      for (const { row } of rows) {
        const changed = (row.repair?.(value) ?? value) !== value;
        expect(row.matches(value), row.id).toBe(changed);
      }
    }
  });
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
  [
    "null mcpServers are not made up (C7)",
    "session/load",
    { sessionId: "s", cwd: "/tmp", mcpServers: null },
    "params.mcpServers",
  ],
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

test("rows with a repair only match what the model refuses", () => {
  for (const { name, content } of fixtures<{ part: Part; value: unknown }>("valid")) {
    const method = (name.split(/[/\\]/)[0] ?? "").replaceAll("__", "/");
    for (const { deviations = [] } of [acpProfiles.spec, acpProfiles.v1]) {
      const matching = deviations.filter(
        (row) => row.repair && row.part === content.part && row.methods.includes(method) && row.matches(content.value),
      );
      expect(
        matching.map((row) => row.id),
        name,
      ).toEqual([]);
    }
  }
  expect(validatorOf(acp.methods["session/prompt"].result).fits({ stopReason: "end_turn" })).toBe(true);
});
