import { methodOf, type Part } from "@editwire/core";
import { sman, smanProfiles } from "@editwire/sman-schema";
import { describe, expect, test } from "vitest";
import { fixtures, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/receive.js";

interface Fixture {
  readonly id: string;
  readonly profile: "spec" | "both";
  readonly method: string;
  readonly part: Part;
  readonly wire: unknown;
  /** Absent where the value is usable as it is, so that only strict mode minds. */
  readonly repaired?: unknown;
}

const all = fixtures<Fixture>("deviations");
const runs = all.flatMap(({ name, content }) =>
  (content.profile === "both" ? (["spec", "v2"] as const) : (["spec"] as const)).map(
    (profile) => [`${name} in ${profile}`, smanProfiles[profile], content] as const,
  ),
);

describe("tolerant (readings 5, 7, 8, 9, 14)", () => {
  test.each(runs)("%s", async (_name, profile, { id, method, part, wire, repaired }) => {
    const { value, diagnostics } = await receive(profile, method, part, wire);
    expect(value).toEqual(repaired ?? wire);
    expect(diagnostics.map((one) => one.id)).toEqual(repaired === undefined ? [] : [id]);
  });

  test("one call with every other name is read as the specification's", async () => {
    const wire = { tool_name: "read_file", parameters: { path: "a", contextLines: "3", line: null } };
    const { value, diagnostics } = await receive(smanProfiles.spec, "TOOL_CALL", "params", wire);
    expect(value).toEqual({
      toolName: "read_file",
      params: { relativePath: "a", context_lines: 3, projectKey: "", webSocketSessionId: "" },
      webSocketSessionId: "",
    });
    expect(diagnostics.map(({ id }) => id)).toEqual(["call-names", "param-names", "null-params", "count-text"]);
  });

  test.each(["2x", "-1", "1.5", "", true, {}, []])(
    "a count that is %j is refused by its name (reading 9)",
    async (limit) => {
      const wire = { toolName: "grep_file", params: { pattern: "a", limit }, webSocketSessionId: "w" };
      await expect(receive(smanProfiles.spec, "TOOL_CALL", "params", wire)).rejects.toThrow("params.params.limit");
    },
  );
});

describe("strict", () => {
  test.each(runs)("%s is refused by its id", async (_name, profile, { id, method, part, wire }) => {
    await expect(receive(profile, method, part, wire, true)).rejects.toThrow(`${id}: `);
  });

  test("the specification's own test, which names no session, is accepted (C42, readings 1 and 24)", async () => {
    const wire = { toolName: "grep_file", params: { pattern: "TODO", projectKey: "autoloop" } };
    const { value, diagnostics } = await receive(smanProfiles.spec, "TOOL_CALL", "params", wire, true);
    expect(value).toEqual({
      toolName: "grep_file",
      params: { pattern: "TODO", projectKey: "autoloop", webSocketSessionId: "" },
      webSocketSessionId: "",
    });
    expect(diagnostics).toEqual([]);
  });
});

describe("rows", () => {
  const rows = Object.values(smanProfiles).flatMap(({ deviations = [] }) => deviations);

  test("each has a fixture", () => {
    const covered = all.map(({ content }) => content.id);
    expect(rows.map(({ id }) => id).filter((id) => !covered.includes(id))).toEqual([]);
  });

  test("each says what is sent, where and by whom", () => {
    for (const row of rows) {
      expect(row.summary).toMatch(/^[^.]+$/);
      expect(row.seen).not.toBe("");
      for (const method of row.methods) expect(methodOf(sman, method), row.id).toBeDefined();
    }
  });

  test("none fails on a value of another shape, or matches what the model takes", () => {
    for (const row of rows) {
      for (const value of [undefined, null, 1, "x", []]) expect(row.matches(value), row.id).toBe(false);
      if (row.repair === undefined) continue;
      for (const { name, content } of fixtures<{ part: Part; value: unknown }>("valid")) {
        if (row.methods.includes(methodOfFile(name)) && row.part === content.part)
          expect(row.matches(content.value), `${row.id} ${name}`).toBe(false);
      }
    }
  });
});
