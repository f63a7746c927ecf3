import type { Part } from "@editwire/core";
import { kaiakProfiles } from "@editwire/kaiak-schema";
import { describe, expect, test } from "vitest";
import { fixtures } from "./support/fixtures.js";
import { receive } from "./support/receive.js";

interface Fixture {
  readonly id: string;
  /** Default `spec`. */
  readonly profile?: keyof typeof kaiakProfiles;
  readonly method: string;
  readonly part: Part;
  readonly wire: unknown;
  readonly repaired: unknown;
}

const all = fixtures<Fixture>("deviations");
describe("tolerant", () => {
  test.each(all)("$name", async ({ content: { id, profile = "spec", method, part, wire, repaired } }) => {
    const { value, diagnostics } = await receive(kaiakProfiles[profile], method, part, wire);
    expect(value).toEqual(repaired);
    expect(diagnostics.map((one) => one.id)).toEqual([id]);
  });
});

describe("strict", () => {
  test.each(all)("$name is refused by its id", async ({ content: { id, profile = "spec", method, part, wire } }) => {
    await expect(receive(kaiakProfiles[profile], method, part, wire, true)).rejects.toThrow(`${id}: `);
  });
});

test("each row has a fixture", () => {
  const covered = all.map(({ content }) => content.id);
  const rows = Object.values(kaiakProfiles).flatMap(({ deviations = [] }) => deviations);
  expect(rows.map(({ id }) => id).filter((id) => !covered.includes(id))).toEqual([]);
});
