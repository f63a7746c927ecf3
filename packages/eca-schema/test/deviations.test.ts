import { eca, ecaProfiles } from "@editwire/eca-schema";
import { methodOf, type Part } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { fixtures, frozen, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/receive.js";

interface Fixture {
  id: string;
  profile: "spec" | "v2026";
  method: string;
  part: Part;
  wire: unknown;
  /** Absent where the value is usable as it is, so that only strict mode minds. */
  repaired?: unknown;
}

const profiles = ecaProfiles;
const all = fixtures<Fixture>("deviations");

describe("tolerant", () => {
  test.each(all.filter(({ content }) => content.repaired !== undefined))("$name is repaired", async ({ content }) => {
    const { value, diagnostics } = await receive(
      profiles[content.profile],
      content.method,
      content.part,
      frozen(content.wire),
    );
    expect(value).toMatchObject(content.repaired as object);
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
      expect(value).toMatchObject(content.wire as object);
      expect(diagnostics).toEqual([]);
    },
  );
});

test.each(all)("strict: $name is refused by its id", async ({ content }) => {
  const { profile, method, part, wire, id } = content;
  await expect(receive(profiles[profile], method, part, frozen(wire), true)).rejects.toThrow(`${part}: ${id}: `);
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
      for (const method of row.methods) expect(methodOf(eca, method), row.id).toBeDefined();
    }
  });

  test("none fails on a value of any other shape", () => {
    for (const value of [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { content: null },
      { content: [] },
      { contexts: 1 },
      { commands: {} },
      { capabilities: 1 },
    ]) {
      for (const { row } of rows) if (row.matches(value)) row.repair?.(value);
    }
  });

  test("with a repair only match what the model refuses", () => {
    for (const { name, content } of fixtures<{ part: Part; value: unknown }>("valid")) {
      const matching = rows.filter(
        ({ row }) =>
          row.repair &&
          row.part === content.part &&
          row.methods.includes(methodOfFile(name)) &&
          row.matches(content.value),
      );
      expect(
        matching.map(({ row }) => row.id),
        name,
      ).toEqual([]);
    }
  });
});

test.each(["initialized", "shutdown", "exit"])(
  "%s takes no params, null, {} and [] alike (A22, S12)",
  async (method) => {
    for (const wire of [undefined, null, {}, []])
      expect((await receive(ecaProfiles.spec, method, "params", wire)).value).toEqual({});
  },
);

test("what cannot be made up is refused with the place", async () => {
  await expect(
    receive(ecaProfiles.spec, "chat/prompt", "params", { requestId: "1", message: null }),
  ).rejects.toMatchObject({
    code: -32602,
    data: [{ path: "params.message", message: "expected string, received null" }],
  });
});
