import { describe, expect, it } from "vitest";
import type { Forms } from "@editwire/core";
import { unwrap, wrap } from "../../src/tagged/envelope.js";

const named = { form: { name: "type", params: "data" } } satisfies Forms;
const flat = { form: { name: "type" } } satisfies Forms;
const beside = { form: { name: "event_type", params: "data", beside: ["session_id"] } } satisfies Forms;
const known = (): boolean => true;

describe("wrap", () => {
  it("puts params into the member, beside it, or beside the name", () => {
    expect(JSON.parse(wrap(named, "a", { x: 1 }))).toEqual({ type: "a", data: { x: 1 } });
    expect(JSON.parse(wrap(flat, "a", { x: 1 }))).toEqual({ type: "a", x: 1 });
    expect(wrap(beside, "a", { x: 1, session_id: "s" })).toBe('{"session_id":"s","event_type":"a","data":{"x":1}}');
  });

  it("leaves out what is not there", () => {
    expect(wrap(beside, "a", {})).toBe('{"event_type":"a","data":{}}');
    expect(wrap(named, "a", undefined)).toBe('{"type":"a","data":{}}');
  });

  it("takes the form of an exception", () => {
    expect(wrap({ ...named, except: { b: { name: "type" } } }, "b", { x: 1 })).toBe('{"type":"b","x":1}');
    expect(wrap({ ...named, except: {} }, "toString", {})).toBe('{"type":"toString","data":{}}');
  });

  it("stamps a message with the time", () => {
    const before = Date.now();
    const forms = { form: { ...beside.form, time: "at" } };
    for (const params of [{ x: 1, session_id: "s" }, { at: 3 }]) {
      const { at, data } = JSON.parse(wrap(forms, "a", params)) as { at: number; data: unknown };
      expect(at).toBeGreaterThanOrEqual(before);
      expect(data).toEqual("at" in params ? { at: 3 } : { x: 1 });
    }
  });

  it("refuses what the form cannot carry", () => {
    const refusal = expect.objectContaining({ name: "WireError", code: "invalid_params" });
    expect(() => wrap(flat, "a", { type: "b" })).toThrow(refusal);
    expect(() => wrap(named, "a", [1])).toThrow(refusal);
    expect(() => wrap(named, "a", { big: 1n })).toThrow(refusal);
  });
});

describe("unwrap", () => {
  it("undoes wrap, in every form", () => {
    for (const forms of [named, flat, beside]) {
      const params = { x: [1, null], session_id: "s" };
      expect(unwrap(forms, JSON.parse(wrap(forms, "a", params)), known)).toEqual({
        name: "a",
        params,
        tolerated: false,
      });
    }
  });

  it("lets what stands beside win, and does without it", () => {
    expect(unwrap(beside, { event_type: "a", session_id: "out", data: { session_id: "in" } }, known)).toMatchObject({
      params: { session_id: "out" },
    });
    expect(unwrap(beside, { event_type: "a", data: { session_id: "in" } }, known)).toMatchObject({
      params: { session_id: "in" },
    });
  });

  it("reads a tolerated form, and says so", () => {
    const forms: Forms = { ...named, tolerated: [flat.form] };
    expect(unwrap(forms, { type: "a", x: 1 }, known)).toEqual({ name: "a", params: { x: 1 }, tolerated: true });
    expect(unwrap(forms, { type: "a", x: 1 }, () => false)).toBe('"data" is not an object');
  });

  it("reads an exception without its marks in a tolerated form, if it fits one", () => {
    const forms: Forms = {
      ...named,
      except: { call: { name: "type", marks: ["id", "tool"] } },
      tolerated: [{ name: "type", params: "data" }],
    };
    const read = (message: object) => unwrap(forms, { type: "call", ...message }, known);
    const whole = { name: "call", tolerated: false };
    expect(read({ data: { id: 1 } })).toEqual({ name: "call", params: { id: 1 }, tolerated: true });
    expect(read({ id: 2, data: { id: 1 } })).toEqual({ ...whole, params: { id: 2, data: { id: 1 } } });
    expect(read({ tool: "t", data: 1 })).toEqual({ ...whole, params: { tool: "t", data: 1 } });
    expect(read({})).toEqual({ ...whole, params: {} });
  });

  it("says why a message is none", () => {
    expect(unwrap(named, null, known)).toBe("a message is an object");
    expect(unwrap(named, [1], known)).toBe("a message is an object");
    expect(unwrap(named, {}, known)).toBe('"type" is not a string');
    expect(unwrap(named, { type: 3, data: {} }, known)).toBe('"type" is not a string');
    expect(unwrap(named, { type: "a", data: [] }, known)).toBe('"data" is not an object');
    expect(unwrap(named, { type: "a" }, known)).toBe('"data" is not an object');
  });
});
