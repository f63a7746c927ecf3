import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { checkTrace } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";

/** The connections of a recorded client; each begins with `initialize`. */
function connections(name: string): string[] {
  const text = readFileSync(new URL(`fixtures/recordings/${name}.ndjson`, import.meta.url), "utf8");
  return text.split(/^(?=.*"method":"initialize")/m).filter((part) => part !== "");
}

test("no monitor accuses a real client, which resumes sessions whose modes it knows from before", () => {
  const found = connections("acp-client").map((text) => checkTrace(findProtocol("acp"), "client", text, "v1"));
  expect(found).toHaveLength(4);
  for (const { checks, outcome } of found) {
    expect(checks.filter(({ verdict }) => verdict !== "pass")).toEqual([]);
    expect(outcome).toBe("passed");
  }
});

test("no monitor takes the turn of a prompt that overtook the end of a cancelled one for the rest of that one", () => {
  const params = { sessionId: "s" };
  const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hel" } };
  const chunk = { from: "agent", message: { jsonrpc: "2.0", method: "session/update", params: { ...params, update } } };
  const prompt = (id: number) => ({
    from: "client",
    message: {
      jsonrpc: "2.0",
      id,
      method: "session/prompt",
      params: { ...params, prompt: [{ type: "text", text: "Hi" }] },
    },
  });
  const ended = (id: number, stopReason: string) => ({
    from: "agent",
    message: { jsonrpc: "2.0", id, result: { stopReason } },
  });
  const opened = [
    {
      from: "client",
      message: { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/a", mcpServers: [] } },
    },
    { from: "agent", message: { jsonrpc: "2.0", id: 1, result: params } },
  ];
  const judge = (...messages: readonly object[]): string[] => {
    const text = [...opened, ...messages].map((one) => JSON.stringify(one)).join("\n");
    const { checks } = checkTrace(findProtocol("acp"), "agent", text, "v1");
    return checks.filter(({ verdict }) => verdict === "fail").map(({ req }) => req);
  };
  // As gemini-cli 0.61.0 was recorded.
  expect(judge(prompt(9), chunk, prompt(10), ended(9, "cancelled"), chunk, ended(10, "end_turn"))).toEqual([]);
  expect(judge(prompt(9), chunk, ended(9, "cancelled"), chunk)).toContain("ACP-CANCEL-012");
  // As claude-code-acp 0.16.2 was: it cancels the second prompt alone, and the first turn goes on.
  const second = [prompt(9), chunk, prompt(10), ended(10, "cancelled"), chunk];
  expect(judge(...second, ended(9, "end_turn"))).toEqual([]);
  expect(judge(...second, ended(9, "cancelled"), chunk)).toContain("ACP-CANCEL-012");
});
