import type { Part } from "@editwire/core";
import {
  errorIn,
  errorNameOf,
  kaiakError,
  KaiakErrorCode,
  type KaiakErrorName,
  kaiakProfiles,
  unsentIn,
} from "@editwire/kaiak-schema";
import { describe, expect, it, test } from "vitest";
import { examples, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/package.js";

const { spec, v2026 } = kaiakProfiles;

/** A value as it is sent and received again in the dialect of 2026. */
async function roundTrip(method: string, part: Part, value: unknown): Promise<unknown> {
  const { wrap, unwrap } = v2026.traits.route;
  const written = v2026.encode?.[method]?.[part]?.(value) ?? value;
  if (part === "result") return (await receive(v2026, method, part, written)).value;
  const sent = wrap(method, written);
  const received = unwrap(sent.method, JSON.parse(JSON.stringify(sent.params)));
  expect(received.method).toBe(method);
  return (await receive(v2026, method, part, received.params)).value;
}

describe("v2026", () => {
  const streams = examples().filter(({ name }) => name.startsWith("kaiak__stream__"));

  it.each(streams)("nothing of $name is lost on the way", async ({ name, content: { part, value } }) => {
    const { content } = (await roundTrip(methodOfFile(name), part, value)) as { content: object };
    const sent = value["content"] as Record<string, unknown>;
    // Only the first notification of a call names its tool.
    const { tool_name: _name, operation: _operation, parameters: _parameters, ...rest } = sent;
    expect(content).toMatchObject(name.includes("tool_call") ? rest : sent);
  });

  it("a run carries its configuration", async () => {
    const run = {
      session_id: "s",
      begins: false,
      incidents: [{ id: "1", rule_id: "r", message: "m", description: "d", uri: "file:///A" }],
      options: { max_processing_time: 5 },
      configuration: {
        workspace: { working_dir: "/w" },
        model: { provider: "p", model: "m", temperature: 0.5, max_tokens: 9 },
        session: { max_turns: 3 },
        permissions: { tool_permissions: { a: "allow", b: "approve", c: "deny" } },
      },
    };
    expect(v2026.encode?.["kaiak/generate_fix"]?.params?.(run)).toMatchObject({
      agent_config: {
        workspace: "/w",
        override_base_config: { tool_permissions: { a: "always_allow", b: "ask_before", c: "never_allow" } },
      },
    });
    expect(await roundTrip("kaiak/generate_fix", "params", run)).toEqual(run);
    const first = await roundTrip("kaiak/generate_fix", "params", { ...run, begins: true });
    expect(first).toMatchObject({ begins: true, session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
    expect(spec.encode?.["kaiak/generate_fix"]?.params?.(run)).not.toHaveProperty("configuration");
  });

  it("says what of a configuration is not sent", () => {
    expect(unsentIn({ workspace: { working_dir: "/", exclude_patterns: [] }, tools: {} })).toEqual([
      "workspace.exclude_patterns: the server's dialect does not have it",
      "tools: the server's dialect does not have it",
    ]);
  });

  it.each([
    [{ status: "deleted", session_removed: false }, -32003],
    [{ status: "not_found", session_removed: false }, -32003],
    [{ status: "failed", session_removed: false }, -32013],
    [{ status: "active", session_removed: false }, -32013],
  ])("reads the deletion %j as the error %d", async ({ status, session_removed }, code) => {
    const cleanup_results = { session_removed, temp_files_cleaned: false, logs_preserved: true, warnings: [] };
    const result = { session_id: "s", status, cleanup_results, deleted_at: "2026-01-05T10:00:00Z" };
    await expect(receive(v2026, "kaiak/delete_session", "result", result)).rejects.toMatchObject({ code });
  });

  it("leaves data of a kind that it does not know as it is", () => {
    const params = { request_id: "r", session_id: "s", kind: "later", payload: {} };
    expect(v2026.traits.route.unwrap("kaiak/generate_fix/data", params)).toEqual({
      method: "kaiak/generate_fix/data",
      params,
    });
  });

  it.each([
    [{ type: "text", properties: { host: {} } }, "localhost", { host: "localhost" }],
    [{ properties: { host: {}, port: {} } }, '{"host":"h","port":1}', { host: "h", port: 1 }],
    [undefined, "yes", { response: "yes" }],
  ])("answers an elicitation of the schema %j", (schema, answer, user_data) => {
    const given = { sessionId: "s", questionId: "q", type: "text_input", answer, schema };
    expect(v2026.traits.answer(given)).toMatchObject({
      method: "kaiak/client/user_message",
      params: { kind: "elicitation_response", payload: { request_id: "q", user_data } },
    });
  });
});

test.each(Object.keys(KaiakErrorCode) as KaiakErrorName[])("%s has a code in each dialect", (name) => {
  const error = kaiakError(name, { a: 1 }, "why");
  expect(error).toMatchObject({ code: KaiakErrorCode[name], data: { a: 1 } });
  expect(errorNameOf(error)).toBe(name);
  expect(errorIn(spec.traits, error)).toBe(error);
  expect(errorIn(v2026.traits, error)).toMatchObject({ code: v2026.traits.errorCodes[name], message: error.message });
});

test("codes that are not the specification's stay, and have no name", () => {
  const other = kaiakError("SessionInUse");
  const foreign = Object.assign(Object.create(other) as typeof other, { code: -1 });
  expect(errorIn(v2026.traits, foreign)).toBe(foreign);
  expect(errorNameOf(foreign)).toBeUndefined();
});
