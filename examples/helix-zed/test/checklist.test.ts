import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { bundlePrograms } from "./programs.js";

interface Frame {
  session_id: string;
  event_type: string;
  data: Record<string, unknown>;
}

/** The agent's tool call, which the specification has no message of its own for. */
const tool = "**Count**\n(completed)\n";
const folder = mkdtempSync(join(tmpdir(), "helix-checklist-"));
const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
let start: () => ChildProcess;
let agent: ChildProcess;
let socket: WebSocket;
const frames: Frame[] = [];

async function connect(): Promise<void> {
  agent = start();
  [socket] = (await once(server, "connection")) as [WebSocket];
  socket.on("message", (data: Buffer) => frames.push(JSON.parse(data.toString()) as Frame));
}

/** Sends a message, and gives what the agent says until it has completed it. */
async function turn(message: string, request_id: string, acp_thread_id: string | null): Promise<Frame[]> {
  const from = frames.length;
  socket.send(
    JSON.stringify({
      type: "chat_message",
      data: { helix_session_id: "ses_01k6abc", acp_thread_id, message, request_id },
    }),
  );
  while (!frames.slice(from).some(({ event_type }) => event_type === "message_completed"))
    await once(socket, "message");
  return frames.slice(from);
}

const of = (turn: Frame[], name: string): Frame[] => turn.filter(({ event_type }) => event_type === name);
const said = (turn: Frame[]): string => {
  const texts = new Map(of(turn, "message_added").map(({ data }) => [data["message_id"], String(data["content"])]));
  return [...texts.values()].join("");
};

describe("the testing checklist of the specification, with a real ACP agent", () => {
  let first: Frame[];
  let second: Frame[];
  let thread: string;

  beforeAll(async () => {
    const { main, acpAgent } = await bundlePrograms();
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const argv = [main, "agent", "--url", url, "--session", "ses_01k6abc", "--cwd", folder, process.execPath, acpAgent];
    // No terminal, no display, no window: there are only pipes.
    start = () =>
      spawn(process.execPath, argv, {
        env: { PATH: process.env["PATH"], STORE: folder },
        stdio: ["ignore", "ignore", "ignore"],
      });
    await connect();
    first = await turn("Hello, can you help me?", "req_1234567890", null);
    thread = String(of(first, "context_created")[0]?.data["acp_thread_id"]);
    second = await turn("Can you explain more?", "req_9876543210", thread);
  });

  afterAll(() => {
    agent.kill("SIGKILL");
    for (const client of server.clients) client.terminate();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("New session creates REAL ACP thread (not fake ID)", () => {
    expect(existsSync(join(folder, `${thread}.json`))).toBe(true);
  });

  it("context_created sent with REAL acp_thread_id from created thread", () => {
    expect(first[0]).toEqual({
      session_id: "ses_01k6abc",
      event_type: "context_created",
      data: { acp_thread_id: thread, helix_session_id: "ses_01k6abc" },
    });
  });

  it("Follow-up message reuses existing context", () => {
    expect(said(second)).toBe(`Prompt 2${tool} of this session: Can you explain more?`);
    expect(new Set(second.map(({ data }) => data["acp_thread_id"]))).toEqual(new Set([thread]));
  });

  it("NO second context_created for follow-ups", () => {
    expect([of(first, "context_created").length, of(second, "context_created").length]).toEqual([1, 0]);
  });

  it("Streaming works (multiple message_added with same message_id)", async () => {
    const waiting = turn("please wait", "req_wait", thread);
    while (!frames.some(({ data }) => data["content"] === "Prompt 3")) await once(socket, "message");
    writeFileSync(join(folder, "go"), "");
    const updates = of(await waiting, "message_added");
    const ids = new Map<unknown, string[]>();
    for (const { data } of updates)
      ids.set(data["message_id"], [...(ids.get(data["message_id"]) ?? []), String(data["content"])]);
    for (const texts of ids.values())
      for (const [i, text] of texts.entries()) expect(text.startsWith(texts[i - 1] ?? "")).toBe(true);
    expect(Math.max(...[...ids.values()].map(({ length }) => length))).toBeGreaterThan(1);
  });

  it("message_completed sent at end", () => {
    for (const one of [first, second])
      expect([of(one, "message_completed").length, one.at(-1)?.event_type]).toEqual([1, "message_completed"]);
  });

  it("request_id correctly echoed back", () => {
    expect([first, second].map((one) => one.at(-1)?.data["request_id"])).toEqual(["req_1234567890", "req_9876543210"]);
  });

  it("External session ID always preserved in responses", () => {
    expect(new Set(frames.map(({ session_id }) => session_id))).toEqual(new Set(["ses_01k6abc"]));
  });

  it("Works headlessly (no UI/panel required)", () => {
    expect([agent.stdin, agent.stdout, agent.exitCode]).toEqual([null, null, null]);
    expect(said(first)).toBe(`Prompt 1${tool} of this session: Hello, can you help me?`);
  });

  it("ACP threads persist to database correctly", async () => {
    agent.kill("SIGKILL");
    await connect();
    const after = await turn("Do you remember?", "req_after", thread);
    expect(said(after)).toBe(`Prompt 4${tool} of this session: Do you remember?`);
    expect(of(after, "context_created")).toEqual([]);
  });
});
