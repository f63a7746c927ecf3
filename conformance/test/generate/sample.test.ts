import { table } from "../../src/protocols/acp/table.js";
import { methodsOf, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { sampleOf } from "../../src/generate/sample.js";
import { methodsFrom, namesSession, sampleParams, sampleResult } from "../../src/protocols/acp/samples.js";
import * as ecaSamples from "../../src/protocols/eca/samples.js";
import { table as ecaTable } from "../../src/protocols/eca/table.js";
import * as helixZedSamples from "../../src/protocols/helix-zed/samples.js";
import { table as helixZedTable } from "../../src/protocols/helix-zed/table.js";

describe("sampleOf", () => {
  test("has the required fields, and the first choice", () => {
    const schema = z.object({
      kind: z.enum(["b", "a"]),
      list: z.array(z.string()),
      inner: z.object({ flag: z.boolean(), count: z.number().optional() }),
      either: z.union([z.literal("x"), z.number()]),
      more: z.string().optional(),
    });
    expect(sampleOf(schema)).toEqual({ kind: "b", list: [], inner: { flag: true }, either: "x" });
  });

  test("takes known fields by their name, however deep", () => {
    const schema = z.object({ cwd: z.string(), at: z.object({ cwd: z.string() }) });
    expect(sampleOf(schema, { cwd: "/" })).toEqual({ cwd: "/", at: { cwd: "/" } });
  });

  test("refuses to give a value that does not fit", () => {
    expect(() => sampleOf(z.object({ path: z.string().startsWith("/") }))).toThrow(/the sample is not valid/);
  });
});

describe("the samples of ACP", () => {
  test.each(methodsOf(table).filter(([, { from }]) => from === "client"))("fit %s", (method, def) => {
    expect(validatorOf(def.params).fits(sampleParams(method, "session-1"))).toBe(true);
    if (def.kind === "request") expect(validatorOf(def.result).fits(sampleResult(method))).toBe(true);
  });

  test("tell which methods name a session", () => {
    expect(methodsFrom("client", "notification").filter(namesSession)).toEqual(["session/cancel"]);
    expect(["initialize", "authenticate", "session/new"].filter(namesSession)).toEqual([]);
  });
});

describe("the samples of ECA", () => {
  test.each(methodsOf(ecaTable))("fit %s", (method, def) => {
    expect(validatorOf(def.params).fits(ecaSamples.sampleParams(method))).toBe(true);
    if (def.kind === "request") expect(validatorOf(def.result).fits(ecaSamples.sampleResult(method))).toBe(true);
  });

  test("answer what a server answers that has nothing", () => {
    expect(ecaSamples.sampleResult("shutdown")).toBe(null);
    expect(ecaSamples.sampleResult("chat/delete")).toEqual({});
    expect(ecaSamples.sampleResult("chat/queryContext")).toEqual({ contexts: [] });
    expect(ecaSamples.sampleResult("chat/queryCommands")).toEqual({ commands: [] });
    expect(() => ecaSamples.sampleResult("exit")).toThrow("eca has no request exit");
  });
});

describe("the samples of Helix-Zed", () => {
  test.each(methodsOf(helixZedTable))("fit %s", (method, def) => {
    const sample = helixZedSamples.sampleParams(method);
    expect(validatorOf(def.params).fits(sample)).toBe(true);
  });
});
