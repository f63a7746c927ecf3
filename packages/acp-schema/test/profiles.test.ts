import { acpProfiles } from "@editwire/acp-schema";
import type { Part, Profile } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { frozen } from "./support/fixtures.js";

function encode(profile: Profile, method: string, value: unknown, part: Part = "params"): unknown {
  return profile.encode?.[method]?.[part]?.(frozen(value)) ?? value;
}

function decode(profile: Profile, method: string, value: unknown, part: Part = "params"): unknown {
  return profile.decode?.[method]?.[part]?.(frozen(value)) ?? value;
}

const text = { type: "text", text: "a" };
const update = (fields: object) => ({
  sessionId: "s",
  update: { sessionUpdate: "tool_call_update", toolCallId: "c", ...fields },
});
const permission = (content: unknown[]) => ({ sessionId: "s", toolCall: { toolCallId: "c", content }, options: [] });
const prompt = (...blocks: object[]) => ({ sessionId: "s", prompt: blocks });
const stdio = { name: "x", command: "/x", args: [], env: [] };

describe("spec", () => {
  test("writes blocks bare, and diffs, terminals and unknown output as they are", () => {
    const rest = [
      { type: "diff", path: "/a", newText: "b" },
      { type: "terminal", terminalId: "t" },
      { type: "table" },
      { type: "content", content: { type: "canvas" } },
    ];
    const model = [{ type: "content", content: text }, ...rest];
    expect(encode(acpProfiles.spec, "session/update", update({ content: model }))).toEqual(
      update({ content: [text, ...rest] }),
    );
    expect(encode(acpProfiles.spec, "session/request_permission", permission(model))).toEqual(
      permission([text, ...rest]),
    );
    expect(decode(acpProfiles.spec, "session/update", update({ content: [text, ...rest] }))).toEqual(
      update({ content: model }),
    );
  });

  test("does so in a tool_call too", () => {
    const start = {
      sessionId: "s",
      update: { sessionUpdate: "tool_call", toolCallId: "c", title: "t", status: "in_progress", content: [text] },
    };
    expect(decode(acpProfiles.spec, "session/update", start)).toMatchObject({
      update: { content: [{ type: "content", content: text }] },
    });
  });

  test("writes an MCP server on stdio with its type", () => {
    const params = { cwd: "/tmp", mcpServers: [{ type: "stdio", ...stdio }] };
    expect(encode(acpProfiles.spec, "session/new", params)).toBe(params);
  });
});

describe("v1", () => {
  test("writes tool output wrapped", () => {
    const params = update({ content: [{ type: "content", content: text }] });
    expect(encode(acpProfiles.v1, "session/update", params)).toBe(params);
  });

  test.each([
    ["file:///a/b%20c.txt", "b c.txt"],
    ["file:///a/b/", "b"],
    ["https://example.org/x.md?raw#top", "x.md"],
    ["C:\\a\\b.ts", "b.ts"],
    ["file:///a/100%.txt", "100%.txt"],
    ["urn:isbn:1", "urn:isbn:1"],
    ["", ""],
  ])("names the link %j %j (C3)", (uri, name) => {
    expect(encode(acpProfiles.v1, "session/prompt", prompt({ type: "resource_link", uri }))).toEqual(
      prompt({ type: "resource_link", uri, name }),
    );
  });

  test.each([
    ["image", "iVBORw0KGgoAAAA", "image/png"],
    ["image", "/9j/4AAQ", "image/jpeg"],
    ["image", "R0lGODlh", "image/gif"],
    ["image", "UklGRiQAAABXRUJQ", "image/webp"],
    ["image", "Qk02", "image/bmp"],
    ["audio", "UklGRiQAAABXQVZF", "audio/wav"],
    ["audio", "SUQzBAAA", "audio/mpeg"],
    ["audio", "//uQZAAA", "audio/mpeg"],
    ["audio", "T2dnUwAC", "audio/ogg"],
    ["audio", "ZkxhQwAA", "audio/flac"],
    ["audio", "", "application/octet-stream"],
    ["image", "aGk=", "application/octet-stream"],
  ])("an %s that begins with %j is %s (C4)", (type, data, mimeType) => {
    const chunk = (block: object) => ({
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: block },
    });
    expect(encode(acpProfiles.v1, "session/update", chunk({ type, data }))).toEqual(chunk({ type, data, mimeType }));
  });

  test("completes blocks inside of tool output and of permission requests, and leaves complete ones alone", () => {
    const wrapped = (block: object) => [{ type: "content", content: block }];
    const link = { type: "resource_link", uri: "file:///a" };
    expect(encode(acpProfiles.v1, "session/update", update({ content: wrapped(link) }))).toEqual(
      update({ content: wrapped({ ...link, name: "a" }) }),
    );
    expect(encode(acpProfiles.v1, "session/request_permission", permission(wrapped(link)))).toEqual(
      permission(wrapped({ ...link, name: "a" })),
    );
    const whole = prompt({ ...link, name: "mine" }, { type: "image", data: "aGk=", mimeType: "image/png" }, text);
    expect(encode(acpProfiles.v1, "session/prompt", whole)).toBe(whole);
  });

  test("writes stdio MCP servers without a type and reads them with one (C8)", () => {
    const http = { type: "http", name: "h", url: "http://127.0.0.1", headers: [] };
    const model = { cwd: "/tmp", mcpServers: [{ type: "stdio", ...stdio }, http] };
    const wire = { cwd: "/tmp", mcpServers: [stdio, http] };
    expect(encode(acpProfiles.v1, "session/load", model)).toEqual(wire);
    expect(decode(acpProfiles.v1, "session/load", { ...wire, sessionId: "s" })).toEqual({ ...model, sessionId: "s" });
  });
});

test.each([
  ["session/update", { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content: text } }],
  ["session/update", { sessionId: "s", update: { sessionUpdate: "future_variant", content: [text] } }],
  ["session/update", update({ status: "completed", content: [{ type: "diff", path: "/a", newText: "b" }] })],
  ["session/request_permission", permission([])],
  ["session/prompt", prompt(text)],
  ["session/cancel", { sessionId: "s" }],
])("%s comes back as the same object when nothing has to change", (method, value) => {
  for (const profile of [acpProfiles.spec, acpProfiles.v1]) {
    expect(encode(profile, method, value)).toBe(value);
    expect(decode(profile, method, value)).toBe(value);
  }
});

test("v1 writes what the official dialect demands and the model lets be absent", () => {
  const { v1 } = acpProfiles;
  expect(encode(v1, "initialize", { protocolVersion: 1, clientInfo: { title: "Editor" } })).toEqual({
    protocolVersion: 1,
    clientInfo: { title: "Editor", name: "Editor", version: "" },
  });
  expect(
    encode(
      v1,
      "initialize",
      { protocolVersion: 1, agentInfo: { name: "a" }, authMethods: [{ id: "login" }] },
      "result",
    ),
  ).toEqual({
    protocolVersion: 1,
    agentInfo: { name: "a", version: "" },
    authMethods: [{ id: "login", name: "login" }],
  });
  const update = { sessionUpdate: "available_commands_update", availableCommands: [{ name: "review", input: {} }] };
  expect(encode(v1, "session/update", { sessionId: "s", update })).toEqual({
    sessionId: "s",
    update: { ...update, availableCommands: [{ name: "review", description: "", input: { hint: "" } }] },
  });
  const summary = [{ type: "resource_link", uri: "file:///a/b.txt" }];
  const compaction = { sessionUpdate: "compaction_update", compactionId: "c", status: "completed", summary };
  expect(encode(v1, "session/update", { sessionId: "s", update: compaction })).toEqual({
    sessionId: "s",
    update: { ...compaction, summary: [{ ...summary[0], name: "b.txt" }] },
  });
});
