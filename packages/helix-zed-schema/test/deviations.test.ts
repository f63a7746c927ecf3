import { type Diagnostic, methodOf } from "@editwire/core";
import { helixZed, helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, test } from "vitest";
import { fixtures, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/receive.js";

interface Fixture {
  id: string;
  profile: "spec" | "v2026";
  method: string;
  wire: unknown;
  /** Absent where the value is usable as it is, so that only strict mode minds. */
  repaired?: unknown;
}

const profiles = helixZedProfiles;
const all = fixtures<Fixture>("deviations");

describe("tolerant", () => {
  test.each(all)("$name", async ({ content: { id, profile, method, wire, repaired } }) => {
    const { value, diagnostics } = await receive(profiles[profile], method, wire);
    expect(value).toEqual(repaired ?? wire);
    expect(diagnostics.map((one: Diagnostic) => one.id)).toEqual(repaired === undefined ? [] : [id]);
  });

  test("a missing or senseless timestamp counts as now (H24)", async () => {
    for (const timestamp of [undefined, null, "soon", -1, {}, "1e308", 1_759_410_084_123_456]) {
      const wire = { session_id: "s", acp_thread_id: "t", message_id: "m", role: "assistant", content: "", timestamp };
      const { value } = await receive(helixZedProfiles.spec, "message_added", wire);
      expect(Math.abs((value as { timestamp: number }).timestamp - Date.now() / 1_000)).toBeLessThan(5);
    }
  });

  test("an id that is neither a text nor a number is refused, however deep it is", async () => {
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    for (const message_id of [{}, { toString: 1 }, true, deep]) {
      const wire = { session_id: "s", acp_thread_id: "t", message_id, role: "assistant", content: "", timestamp: 1 };
      await expect(receive(helixZedProfiles.spec, "message_added", wire)).rejects.toThrow(
        "message_id: expected string",
      );
    }
  });

  test("the forms of 2026 of Helix and Zed, all at once, in either profile (H11)", async () => {
    for (const profile of [helixZedProfiles.spec, helixZedProfiles.v2026]) {
      const { value } = await receive(profile, "message_completed", {
        acp_thread_id: "t",
        message_id: "0",
        request_id: "r",
        agent_name: "zed",
        usage: null,
      });
      expect(value).toMatchObject({ session_id: "", acp_thread_id: "t", message_id: "0" });
      const chat = await receive(profile, "chat_message", {
        session_id: "s",
        acp_thread_id: "",
        message: "m",
        request_id: "r",
        role: "user",
        interrupt: false,
      });
      expect(chat.value).toMatchObject({ helix_session_id: "s", acp_thread_id: null });
    }
  });
});

describe("strict", () => {
  test.each(all)("$name is refused by its id", async ({ content: { id, profile, method, wire } }) => {
    await expect(receive(profiles[profile], method, wire, true)).rejects.toThrow(`${id}: `);
  });
});

describe("rows", () => {
  const rows = Object.entries(profiles).flatMap(([profile, { deviations = [] }]) =>
    deviations.map((row) => ({ profile, row })),
  );

  test("each has a fixture in its profile", () => {
    const covered = all.map(({ content }) => `${content.profile} ${content.id}`);
    expect(rows.map(({ profile, row }) => `${profile} ${row.id}`).filter((id) => !covered.includes(id))).toEqual([]);
  });

  test("each says what is sent, where and by whom", () => {
    for (const { row } of rows) {
      expect(row.summary).toMatch(/^[^.]+$/);
      expect(row.seen).not.toBe("");
      for (const method of row.methods) expect(methodOf(helixZed, method), row.id).toBeDefined();
    }
  });

  test("none fails on a value of another shape, or matches what the model takes", () => {
    for (const { row } of rows) {
      for (const value of [undefined, null, 1, "x", []]) expect(row.matches(value), row.id).toBe(false);
      if (row.repair === undefined) continue;
      for (const { name, content } of fixtures<{ value: unknown }>("valid")) {
        if (row.methods.includes(methodOfFile(name)))
          expect(row.matches(content.value), `${row.id} ${name}`).toBe(false);
      }
    }
  });
});
