import { type MethodDef, methodOf, methodsOf, type Part, validatorOf } from "@editwire/core";
import { commands, kaiak, KaiakErrorCode } from "@editwire/kaiak-schema";
import { expect, test } from "vitest";
import { examples, fixtures, methodOfFile } from "./support/fixtures.js";

interface Invalid {
  readonly part: Part;
  readonly path: string;
  readonly value: unknown;
}

function schemaOf(name: string, part: Part) {
  const def = methodOf(kaiak, methodOfFile(name)) as MethodDef;
  return validatorOf(part === "result" && def.kind === "request" ? def.result : def.params);
}

test.each(examples())("valid: $name", ({ name, content: { part, value } }) => {
  expect(schemaOf(name, part).issues(value, part)).toEqual([]);
  expect(schemaOf(name, part).fits(value)).toBe(true);
});

test.each(fixtures<Invalid>("invalid"))("invalid: $name", ({ name, content: { part, path, value } }) => {
  expect(schemaOf(name, part).fits(value)).toBe(false);
  expect(
    schemaOf(name, part)
      .issues(value, part)
      .map((issue) => issue.path),
  ).toEqual([path]);
});

test.each(methodsOf(kaiak))("%s has an example of each part", (method, { kind }) => {
  const parts = examples().flatMap(({ name, content }) => (methodOfFile(name) === method ? [content.part] : []));
  expect(parts.sort()).toEqual(kind === "request" ? ["params", "result"] : ["params"]);
});

test("the commands and streams of the specification are in the table", () => {
  for (const command of commands) expect(methodOf(kaiak, command)?.from).toBe("client");
  const streams = methodsOf(kaiak).filter(([name]) => name.startsWith("kaiak/stream/"));
  expect(streams.map(([name]) => name.slice("kaiak/stream/".length))).toEqual([
    "progress",
    "ai_response",
    "thinking",
    "tool_call",
    "user_interaction",
    "file_modification",
    "error",
    "system",
  ]);
  expect(streams.every(([, { from, kind }]) => from === "server" && kind === "notification")).toBe(true);
});

test("the error codes are the sixteen of the specification, without a gap", () => {
  expect(Object.values(KaiakErrorCode)).toEqual(Array.from({ length: 16 }, (_, index) => -32001 - index));
});

test.each(["2025-12-24T10:30:00Z", "2025-12-24T10:30:00.123456789+00:00", "2025-12-24T10:30:00-05:30"])(
  "B47: the time %s is read",
  (timestamp) => {
    const { content } = examples().find(({ name }) => name.startsWith("kaiak__stream__system")) ?? {
      content: undefined,
    };
    expect(schemaOf("kaiak__stream__system/x", "params").fits({ ...content?.value, timestamp })).toBe(true);
  },
);
