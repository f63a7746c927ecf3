import { readFileSync } from "node:fs";
import { toJsonSchema } from "@editwire/core";
import { sman } from "@editwire/sman-schema";
import { expect, test } from "vitest";

test("the published schema.json is what the table says", () => {
  const published: unknown = JSON.parse(readFileSync(new URL("../schema.json", import.meta.url), "utf8"));
  expect(published, "run the package's script `schema`").toEqual(toJsonSchema(sman));
});
