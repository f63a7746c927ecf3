import { methodsOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { findProtocol } from "../src/protocols/all.js";
import { fits } from "../src/core/talk/judge.js";

describe.each(["acp", "eca", "helix-zed", "kaiak", "sman"])("the vectors of %s", (name) => {
  const protocol = findProtocol(name);
  const vectors = protocol.vectors();

  test("cover both parts of every method, with valid and invalid values", () => {
    const covered = new Set(vectors.map(({ method, part, valid }) => `${method} ${part} ${valid}`));
    const wanted = methodsOf(protocol.table).flatMap(([method, { kind }]) =>
      ["params", ...(kind === "request" ? ["result"] : [])].flatMap((part) => [
        `${method} ${part} true`,
        `${method} ${part} false`,
      ]),
    );
    expect(wanted.filter((one) => !covered.has(one))).toEqual([]);
  });

  test("have names of their own and a requirement", () => {
    expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
    const { byId } = protocol.registry();
    expect(vectors.filter(({ req }) => !byId.has(req))).toEqual([]);
  });

  test.each(vectors.map((vector) => [vector.id, vector] as const))("%s", (_id, { method, part, value, valid }) => {
    const accepted = protocol.accept?.(method, part, value) ?? value;
    expect(fits(protocol.table, method, part, accepted)).toBe(valid);
  });
});
