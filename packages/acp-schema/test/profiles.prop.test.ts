import { acp, acpProfiles } from "@editwire/acp-schema";
import { isObject, validatorOf } from "@editwire/core";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frozen } from "./support/fixtures.js";
import { isStated } from "./support/stated.js";

const extra = fc.dictionary(
  fc.constantFrom("_meta", "x", "annotations"),
  fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  {
    maxKeys: 2,
  },
);
const record = (fields: Record<string, fc.Arbitrary<unknown>>, optional: string[] = []) =>
  fc
    .tuple(fc.record(fields, { requiredKeys: Object.keys(fields).filter((key) => !optional.includes(key)) }), extra)
    .map(([known, more]) => ({ ...more, ...known }));

const base64 = fc.base64String({ maxLength: 20 });
const block = fc.oneof(
  record({ type: fc.constant("text"), text: fc.string() }),
  record({ type: fc.constant("resource_link"), uri: fc.webUrl(), name: fc.string() }, ["name"]),
  record({ type: fc.constant("image"), data: base64, mimeType: fc.constant("image/png") }, ["mimeType"]),
  record({ type: fc.constant("audio"), data: base64, mimeType: fc.constant("audio/wav") }, ["mimeType"]),
  record({ type: fc.constant("resource"), resource: record({ uri: fc.webUrl(), text: fc.string() }) }),
  record({ type: fc.constantFrom("canvas", "_acme/chart") }),
);
const output = fc.oneof(
  fc.record({ type: fc.constant("content"), content: block }),
  record(
    { type: fc.constant("diff"), path: fc.constant("/a"), oldText: fc.option(fc.string()), newText: fc.string() },
    ["oldText"],
  ),
  record({ type: fc.constant("terminal"), terminalId: fc.string() }),
  record({ type: fc.constant("table") }),
);
const toolCall = {
  toolCallId: fc.string(),
  status: fc.constantFrom("pending", "in_progress", "completed", "failed"),
  content: fc.array(output, { maxLength: 4 }),
  rawOutput: fc.jsonValue(),
};
const update = fc.oneof(
  record({
    sessionUpdate: fc.constantFrom("user_message_chunk", "agent_message_chunk", "agent_thought_chunk"),
    content: block,
  }),
  record({ sessionUpdate: fc.constant("tool_call"), title: fc.string(), ...toolCall }, ["content", "rawOutput"]),
  record({ sessionUpdate: fc.constant("tool_call_update"), ...toolCall }, ["status", "content", "rawOutput"]),
  record({ sessionUpdate: fc.constant("future_variant"), content: fc.jsonValue() }),
);
const params = record({ sessionId: fc.string({ minLength: 1 }), update });

const { fits } = validatorOf(acp.methods["session/update"].params);
const wire = (profile: typeof acpProfiles.spec, direction: "encode" | "decode", value: unknown) =>
  profile[direction]?.["session/update"]?.params?.(value);

test("what the elephant dialect writes, it reads back as it was", () => {
  fc.assert(
    fc.property(params, (value) => {
      expect(fits(frozen(value))).toBe(true);
      expect(wire(acpProfiles.spec, "decode", frozen(wire(acpProfiles.spec, "encode", value)))).toEqual(value);
    }),
  );
});

test("no bare-able block stays wrapped on the elephant wire", () => {
  fc.assert(
    fc.property(params, (value) => {
      const written = wire(acpProfiles.spec, "encode", value) as { update: { content?: unknown } };
      const items: unknown[] = Array.isArray(written.update.content) ? written.update.content : [];
      const wrapped = items.filter(
        (item) =>
          isObject(item) &&
          item["type"] === "content" &&
          isObject(item["content"]) &&
          item["content"]["type"] === "text",
      );
      expect(wrapped).toEqual([]);
    }),
  );
});

/** A vendor's fields of a tool call, and the others: v1 has the former in _meta. */
function parted(fields: Record<string, unknown>): { vendors: string[]; official: object } {
  const isToolCall = String(fields["sessionUpdate"]).startsWith("tool_call");
  const vendors = isToolCall ? ["x", "annotations"].filter((name) => name in fields) : [];
  return { vendors, official: Object.fromEntries(Object.entries(fields).filter(([name]) => !vendors.includes(name))) };
}

test("what the v1 dialect writes and reads back still fits, lacks nothing, and is written the same again", () => {
  fc.assert(
    fc.property(params, (value) => {
      const written = frozen(wire(acpProfiles.v1, "encode", frozen(value)));
      const back = wire(acpProfiles.v1, "decode", written);
      expect(fits(back)).toBe(true);
      const { vendors, official } = parted(value.update as Record<string, unknown>);
      expect(back).toMatchObject({ ...value, update: official });
      expect(Object.keys((back as { update: { _meta?: object } }).update._meta ?? {})).toEqual(
        expect.arrayContaining(vendors),
      );
      expect(wire(acpProfiles.v1, "encode", back)).toEqual(written);
    }),
  );
});

test("no value of any shape makes a profile throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(acpProfiles.spec, acpProfiles.v1), (value, profile) => {
      for (const rewrites of [profile.encode, profile.decode]) {
        for (const [method, change] of Object.entries(rewrites ?? {})) {
          if (!isStated(method)) continue;
          for (const shape of [
            value,
            { update: value },
            { toolCall: value },
            { prompt: value },
            { mcpServers: value },
          ]) {
            change.params?.(shape);
            change.result?.(shape);
          }
        }
      }
      for (const row of profile.deviations ?? []) if (row.matches(value)) row.repair?.(value);
    }),
  );
});
