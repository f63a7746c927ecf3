import * as z from "zod";
import { describe, expect, test } from "vitest";
import { breakages } from "../../src/generate/broken.js";

const schema = z.looseObject({
  id: z.string(),
  note: z.string().optional(),
  list: z.array(z.looseObject({ n: z.number() })),
});
const fits = (value: unknown): boolean => schema.safeParse(value).success;
const sample = { id: "a", note: "b", list: [{ n: 1 }] };

describe("what is broken in a message", () => {
  const all = breakages(fits, sample);

  test("is every place once by its type, and every required one by leaving it out", () => {
    const names = all.map(({ name }) => name);
    expect(names.filter((name) => name.endsWith("missing"))).toEqual([
      "id-missing",
      "list-missing",
      "list-0-n-missing",
    ]);
    const places = names
      .filter((name) => !name.endsWith("missing"))
      .map((name) => name.split("-").slice(0, -1).join("-"));
    expect(places).toEqual(["", "id", "note", "list", "list-0", "list-0-n"]);
  });

  test("does not fit any more, and nothing else has changed", () => {
    for (const { apply } of all) expect(schema.safeParse(apply(sample)).success).toBe(false);
    expect(all.find(({ name }) => name === "list-0-n-missing")?.apply({ ...sample, more: 1 })).toEqual({
      id: "a",
      note: "b",
      list: [{}],
      more: 1,
    });
  });

  test("leaves alone what lacks the place", () => {
    expect(all.find(({ name }) => name === "list-0-n-missing")?.apply({ id: "a" })).toEqual({ id: "a" });
    expect(() => breakages(fits, {})).toThrow(TypeError);
  });
});
