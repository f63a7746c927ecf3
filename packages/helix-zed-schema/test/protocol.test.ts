import { methodsOf } from "@editwire/core";
import { addedMessages, helixZed, helixZedEnvelope, helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, test } from "vitest";
import { methodOfFile } from "../../core/test/support/fixtures.js";
import { receive, schema, send } from "./support/package.js";

const { valid } = schema;

test("the table names every message of the specification and of 2026, and its sender", () => {
  const rows = methodsOf(helixZed).map(([name, { from, kind }]) => `${from} ${kind} ${name}`);
  expect(rows.slice(0, 4)).toEqual([
    "host notification chat_message",
    "agent notification context_created",
    "agent notification message_added",
    "agent notification message_completed",
  ]);
  expect(rows.slice(4).map((row) => row.split(" ")[2])).toEqual(addedMessages);
});

test("the envelopes are those of the specification", () => {
  expect(helixZedEnvelope.host.form).toEqual({ name: "type", params: "data" });
  expect(helixZedEnvelope.agent.form).toEqual({ name: "event_type", params: "data", beside: ["session_id"] });
});

describe("what leaves in the profile spec", () => {
  const specified = ["chat_message", "context_created", "message_added", "message_completed"];
  const fields: Record<string, string[]> = {
    chat_message: ["helix_session_id", "acp_thread_id", "message", "request_id"],
    context_created: ["session_id", "acp_thread_id", "helix_session_id"],
    message_added: ["session_id", "acp_thread_id", "message_id", "role", "content", "timestamp"],
    message_completed: ["session_id", "acp_thread_id", "message_id", "request_id"],
  };

  test.each(
    valid.filter(({ name, content }) => specified.includes(methodOfFile(name)) && content.value["role"] !== "user"),
  )(
    "$name has the fields of the specification and no other (readings 1, 5, 16)",
    async ({ name, content: { value } }) => {
      const wire = send(helixZedProfiles.spec, methodOfFile(name), {
        ...value,
        role: value["role"] ?? "user",
        extra: 1,
      });
      expect(Object.keys(wire as object)).toEqual(fields[methodOfFile(name)]);
      expect((await receive(helixZedProfiles.spec, methodOfFile(name), "params", wire, true)).value).toEqual(wire);
    },
  );

  test.each(valid.filter(({ name }) => addedMessages.includes(methodOfFile(name))))(
    "$name does not (reading 10)",
    ({ name, content: { value } }) => {
      expect(() => send(helixZedProfiles.spec, methodOfFile(name), value)).toThrow(
        expect.objectContaining({ code: "invalid_params", message: expect.stringContaining("v2026") }),
      );
    },
  );

  test("no role but the assistant's (reading 17)", () => {
    expect(() =>
      send(
        helixZedProfiles.spec,
        "message_added",
        valid.find(({ name }) => name.endsWith("message_added/user.json"))?.content.value,
      ),
    ).toThrow('only the role "assistant"');
  });
});

describe("what leaves in the profile v2026", () => {
  test.each(valid)("$name is read as it was said, also in strict mode", async ({ name, content: { value } }) => {
    const { value: back, diagnostics } = await receive(
      helixZedProfiles.v2026,
      methodOfFile(name),
      "params",
      send(helixZedProfiles.v2026, methodOfFile(name), value),
      true,
    );
    expect(back).toMatchObject(value);
    expect(diagnostics).toEqual([]);
  });

  test("a chat_message names the session twice and never has a role (H19)", () => {
    const first = valid.find(({ name }) => name.endsWith("chat_message/first.json"))?.content.value;
    expect(send(helixZedProfiles.v2026, "chat_message", { ...first, role: "user" })).toEqual({
      ...first,
      session_id: first?.["helix_session_id"],
    });
  });
});

test("a profile's behavior is in its traits and not in its name", () => {
  const mine = { ...helixZedProfiles.v2026, name: "mine" };
  expect(mine.traits).toEqual(helixZedProfiles.v2026.traits);
  expect(Object.keys(helixZedProfiles)).toEqual(Object.values(helixZedProfiles).map(({ name }) => name));
});
