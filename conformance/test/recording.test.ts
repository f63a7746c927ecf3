import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { spawnAcp } from "@editwire/acp/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkTrace } from "../src/index.js";
import { findProtocol } from "../src/protocols/all.js";
import { bin } from "./programs.js";

const acp = findProtocol("acp");
const reference = (...flags: string[]): string[] => [...bin, "reference", "acp", "--role", "agent", ...flags];
const agents = {
  conforming: reference(),
  // Its tool calls begin twice.
  broken: reference("--mutant", "acp.agent/tools-begin-twice"),
};

const clientInfo = { name: "recorder", version: "1.0.0" };

/** The requirements that a recording violates. */
const violations = (text: string, role = "agent"): string[] =>
  checkTrace(acp, role, text).checks.flatMap(({ verdict, req }) => (verdict === "pass" ? [] : [req]));

/** The arguments of `onWire` while a client prompts an agent. */
async function recorded(agent: readonly string[]): Promise<[direction: "in" | "out", message: unknown][]> {
  const calls: [direction: "in" | "out", message: unknown][] = [];
  const client = await spawnAcp(agent, {
    clientInfo,
    onWire: (...call) => void calls.push(call),
    permission: async () => "allow_once",
  });
  const session = await client.newSession({ cwd: tmpdir() });
  for await (const _event of session.prompt("conf:ask-permission {}"));
  await client.close();
  return calls;
}

/** As a listener may write each call. */
const forms: [string, (direction: string, message: unknown) => string][] = [
  ["an object", (direction, message) => JSON.stringify({ direction, message })],
  ["an object with more fields", (direction, message) => JSON.stringify({ at: 17, direction, message })],
  ["an array", (...call) => JSON.stringify(call)],
  ["the direction, then the message", (direction, message) => `${direction} ${JSON.stringify(message)}`],
];

describe("check reads what onWire is called with", () => {
  const wires = new Map<string, [direction: "in" | "out", message: unknown][]>();
  beforeAll(async () => {
    for (const [name, agent] of Object.entries(agents)) wires.set(name, await recorded(agent));
  });
  const wire = (name: string, form: (direction: string, message: unknown) => string): string =>
    (wires.get(name) ?? []).map((call) => form(...call)).join("\n");

  test.each(forms)("written as %s", (_name, form) => {
    expect(checkTrace(acp, "agent", wire("conforming", form))).toMatchObject({ outcome: "passed", skipped: [] });
    expect(checkTrace(acp, "client", wire("conforming", form))).toMatchObject({ outcome: "passed", skipped: [] });
    expect(violations(wire("broken", form))).toEqual(["ACP-UPDATE-021"]);
    expect(violations(wire("broken", form), "client")).toEqual([]);
  });

  test("by the agent's own listener", () => {
    const turned = (direction: string, message: unknown): string =>
      JSON.stringify({ direction: direction === "in" ? "out" : "in", message });
    expect(checkTrace(acp, "agent", wire("conforming", turned))).toMatchObject({ outcome: "passed" });
    expect(violations(wire("broken", turned))).toEqual(["ACP-UPDATE-021"]);
  });

  test("but not if nothing shows whose listener it was", () => {
    const line = '{"direction":"in","message":{"jsonrpc":"2.0","id":1,"result":{}}}';
    expect(() => checkTrace(acp, "agent", line)).toThrow("line 1: no method shows which side recorded");
  });
});

describe("check reads the messages alone", () => {
  let home: string;
  beforeAll(async () => void (home = await realpath(await mkdtemp(join(tmpdir(), "conformance-acpx-")))));
  afterAll(() => rm(home, { recursive: true }));
  const cli = join(createRequire(import.meta.url).resolve("acpx/package.json"), "../dist/cli.js");

  /** The output of acpx while it prompts an agent. */
  async function acpx(agent: readonly string[]): Promise<string> {
    const flags = ["--cwd", home, "--format", "json", "--json-strict", "--approve-all"];
    const args = [cli, "--agent", agent.join(" "), ...flags, "exec", "conf:ask-permission {}"];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, HOME: home } });
    return stdout;
  }

  test("as acpx prints them", async () => {
    const wire = await acpx(agents.conforming);
    // Both sides have a request with the id 1, which only the methods tell apart.
    expect(wire.match(/"id":1,"method"/g)).toHaveLength(2);
    for (const role of ["agent", "client"])
      expect(checkTrace(acp, role, wire)).toMatchObject({ outcome: "passed", skipped: [] });
    expect(violations(await acpx(agents.broken))).toEqual(["ACP-UPDATE-021"]);
  });

  const call = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const notification = (method: string, params: object): string => JSON.stringify({ jsonrpc: "2.0", method, params });
  const answer = (id: number | null, result: object): string => JSON.stringify({ jsonrpc: "2.0", id, result });
  const permission = {
    sessionId: "s",
    toolCall: { toolCallId: "c", title: "C" },
    options: [{ optionId: "yes", name: "Yes", kind: "allow_once" }],
  };

  test("that both sides have asked with one id, by what the answer can be", () => {
    const lines = [
      call(0, "initialize", { protocolVersion: 1 }),
      answer(0, { protocolVersion: 1, agentCapabilities: {}, agentInfo: clientInfo }),
      call(1, "session/new", { cwd: "/", mcpServers: [] }),
      answer(1, { sessionId: "s" }),
      call(2, "session/prompt", { sessionId: "s", prompt: [] }),
      notification("session/update", {
        sessionId: "s",
        update: { sessionUpdate: "tool_call", ...permission.toolCall },
      }),
      call(2, "session/request_permission", permission),
      answer(2, { stopReason: "cancelled" }),
    ];
    expect(violations(lines.join("\n"))).toEqual([]);
    const closed = [...lines, answer(2, { outcome: { outcome: "cancelled" } })];
    expect(violations([...closed, answer(1, { sessionId: "s" })].join("\n"))).toEqual(["ACP-RPC-004"]);
    // Either side may have sent a third answer to the two requests with the id 2.
    const third = checkTrace(acp, "agent", [...closed, answer(2, { stopReason: "cancelled" })].join("\n"));
    expect(third).toMatchObject({ outcome: "passed", skipped: [{ line: 10, reason: "answers no request" }] });
  });

  test("and skips the lines that nobody can be judged by", () => {
    const lines = [
      '{"action":"session_ensured","created":true}',
      call(0, "initialize", { protocolVersion: 1 }),
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"ACP agent exited","data":{"origin":"cli"}}}',
      call(0, "_mine/ask", {}),
      answer(0, {}),
    ];
    expect(checkTrace(acp, "agent", lines.join("\n"))).toMatchObject({
      outcome: "incomplete",
      skipped: [
        { line: 1, reason: expect.stringMatching(/^no message: /) },
        { line: 3, reason: "answers no request" },
        { line: 4, reason: "nothing shows who sent _mine/ask" },
        { line: 5, reason: "answers no request" },
      ],
    });
  });

  test("of a connection that was open before", () => {
    const update = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "hi" } };
    const lines = [
      call(7, "session/prompt", { sessionId: "s", prompt: [] }),
      notification("session/update", { sessionId: "s", update }),
      answer(7, { stopReason: "end_turn" }),
    ];
    expect(violations(lines.join("\n"))).toEqual([]);
  });
});
