import { eca, ecaProfiles } from "@editwire/eca-schema";
import { methodOf, type Part, type Profile, validatorOf } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { fixtures, frozen, methodOfFile } from "./support/fixtures.js";
import { receive } from "./support/package.js";

const valid = fixtures<{ part: Part; value: unknown }>("valid");

function encode(profile: Profile, method: string, value: unknown, part: Part = "params"): unknown {
  const change = profile.encode?.[method]?.[part];
  return change === undefined ? value : change(frozen(value));
}

function decode(profile: Profile, method: string, value: unknown, part: Part = "params"): unknown {
  const change = profile.decode?.[method]?.[part];
  return change === undefined ? value : change(frozen(value));
}

const inChat = (content: object) => ({ chatId: "c", role: "assistant", content });
const tool = { origin: "native", id: "t", name: "n" };

describe.each(Object.values(ecaProfiles))("$name", (profile) => {
  test.each(valid)(
    "$name is written so that it reads back, and the same again",
    ({ name, content: { part, value } }) => {
      const method = methodOfFile(name);
      const def = methodOf(eca, method);
      const schema = part === "result" && def?.kind === "request" ? def.result : def?.params;
      const wire = encode(profile, method, value, part);
      const back = decode(profile, method, wire, part);
      expect(schema && validatorOf(schema).fits(back)).toBe(true);
      expect(encode(profile, method, back, part)).toEqual(wire);
    },
  );

  // Words that a dialect lacks and that mean something of their own go out as they are; so does what only the caller
  // can know.
  const own =
    profile === ecaProfiles.spec
      ? /: (A4|A9|A11|A24|content-type|v2026-method): /
      : /: (A3|A4|A5|A6|A11|A12|A15|A24|content-type): /;
  test.each(valid)(
    "the wire of $name passes in strict mode or names a row",
    async ({ name, content: { part, value } }) => {
      const method = methodOfFile(name);
      const outcome = await receive(profile, method, part, encode(profile, method, value, part), true).then(
        () => "",
        (error: Error) => error.message,
      );
      if (outcome !== "") expect(outcome).toMatch(own);
    },
  );
});

test.each([
  [
    "chat/prompt",
    { message: "x", behavior: "plan" },
    { message: "x", behavior: "plan" },
    { message: "x", agent: "plan" },
  ],
  [
    "chat/prompt",
    { message: "x", agent: "plan", requestId: 3 },
    { message: "x", behavior: "plan", requestId: "3" },
    { message: "x", agent: "plan", requestId: 3 },
  ],
  [
    "chat/contentReceived",
    inChat({ type: "progress", state: "finished" }),
    inChat({ type: "progress", state: "finished", text: "" }),
    undefined,
  ],
  [
    "chat/contentReceived",
    inChat({ type: "toolCalled", ...tool, arguments: {}, error: false, outputs: [{ type: "text", text: "a" }] }),
    inChat({
      type: "toolCalled",
      ...tool,
      server: "eca",
      arguments: {},
      error: false,
      outputs: [{ type: "text", text: "a", content: "a" }],
    }),
    inChat({
      type: "toolCalled",
      ...tool,
      server: "eca",
      arguments: {},
      error: false,
      outputs: [{ type: "text", text: "a" }],
      totalTimeMs: 0,
    }),
  ],
  [
    "chat/contentReceived",
    inChat({ type: "toolCallRejected", ...tool, origin: "mcp", arguments: {}, reason: "userPromptStop" }),
    inChat({ type: "toolCallRejected", ...tool, origin: "mcp", arguments: {}, reason: "user" }),
    inChat({
      type: "toolCallRejected",
      ...tool,
      origin: "mcp",
      server: "unknown",
      arguments: {},
      reason: "userPromptStop",
    }),
  ],
  [
    "chat/contentReceived",
    inChat({ type: "usage", sessionTokens: 3, messageCost: "0.01" }),
    inChat({
      type: "usage",
      sessionTokens: 3,
      messageCost: "0.01",
      lastMessageCost: "0.01",
      messageInputTokens: 0,
      messageOutputTokens: 0,
    }),
    inChat({ type: "usage", sessionTokens: 3, messageCost: "0.01", lastMessageCost: "0.01" }),
  ],
  [
    "tool/serverUpdated",
    { type: "mcp", name: "x", status: "requires-auth" },
    { type: "mcp", name: "x", status: "failed", command: "", args: [] },
    undefined,
  ],
] as const)("%s %j is written as each dialect has it", (method, value, seed, now) => {
  expect(encode(ecaProfiles.spec, method, value)).toEqual(seed);
  if (now !== undefined) expect(encode(ecaProfiles.v2026, method, value)).toEqual(now);
});

test("an answer to initialize gets what `spec` demands", () => {
  expect(encode(ecaProfiles.spec, "initialize", { models: ["m"] }, "result")).toEqual({
    models: ["m"],
    chatDefaultModel: "m",
    chatBehaviors: [],
    chatDefaultBehavior: "",
    chatWelcomeMessage: "",
  });
  expect(encode(ecaProfiles.v2026, "initialize", {}, "result")).toEqual({});
  expect(encode(ecaProfiles.spec, "shutdown", {}, "result")).toBeNull();
});

test("one decoder reads both dialects", () => {
  for (const profile of Object.values(ecaProfiles)) {
    expect(decode(profile, "chat/prompt", { "request-id": 1, message: "x", agent: "plan" })).toMatchObject({
      requestId: 1,
      agent: "plan",
      behavior: "plan",
    });
    expect(decode(profile, "chat/prompt", { message: "x", behavior: "plan" })).toMatchObject({
      agent: "plan",
      behavior: "plan",
    });
    expect(decode(profile, "initialize", { initializationOptions: { chatAgent: "plan" } })).toMatchObject({
      initializationOptions: { chatBehavior: "plan" },
    });
    for (const [wire, word] of [
      ["mcp-prompt", "mcpPrompt"],
      ["mcpPrompt", "mcpPrompt"],
      ["custom-prompt", "customPrompt"],
      ["native", "native"],
    ])
      expect(
        decode(profile, "chat/queryCommands", { commands: [{ name: "x", type: wire, arguments: [] }] }, "result"),
      ).toMatchObject({
        commands: [{ type: word }],
      });
    expect(
      decode(profile, "chat/contentReceived", inChat({ type: "toolCallRejected", reason: "user-choice-deny" })),
    ).toMatchObject({
      content: { reason: "userChoiceDeny" },
    });
    expect(decode(profile, "chat/contentReceived", inChat({ type: "usage", lastMessageCost: "1,00" }))).toMatchObject({
      content: { messageCost: "1,00" },
    });
  }
});

test("a command's type is written as its dialect has it", () => {
  const result = (type: string) => ({ commands: [{ name: "x", description: "", type, arguments: [] }] });
  expect(encode(ecaProfiles.spec, "chat/queryCommands", result("mcpPrompt"), "result")).toEqual(result("mcp-prompt"));
  expect(encode(ecaProfiles.spec, "chat/queryCommands", result("mcp-prompt"), "result")).toEqual(result("mcp-prompt"));
  expect(encode(ecaProfiles.spec, "chat/queryCommands", result("skill"), "result")).toEqual(result("native"));
  expect(encode(ecaProfiles.v2026, "chat/queryCommands", result("mcpPrompt"), "result")).toEqual(result("mcpPrompt"));
});
