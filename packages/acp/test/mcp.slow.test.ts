import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { client as officialClient, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { memoryPair } from "@editwire/transport";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AcpAgent,
  type AcpAgentTurn,
  type AcpClientOptions,
  acpProfiles,
  connectAcp,
  type McpServer,
  serveAcp,
  type SessionUpdate,
} from "../src/index.js";
import { type AcpMcpOptions, type AcpMcpSession, createAcpMcp } from "../src/mcp.js";
import type { McpCallOutcome } from "../src/mcp/session.js";
import { remoteMcpServer } from "./mcp-http-server.js";
import { officialPair } from "./official-pair.js";

const require = createRequire(import.meta.url);
const cwd = process.cwd();
const serverProgram = (name: string, ...args: string[]): McpServer => ({
  type: "stdio",
  name,
  command: process.execPath,
  args: [require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args],
  env: [],
});
const everything = serverProgram("everything", "stdio");

type Run = (mcp: AcpMcpSession, turn: AcpAgentTurn) => Promise<void>;

/** A client in a session with MCP servers; each turn of its agent runs what the test says. */
async function start(mcpServers: McpServer[], options: AcpMcpOptions = {}, client: AcpClientOptions = {}) {
  const errors: Error[] = [];
  const updates: SessionUpdate[] = [];
  const mcp = createAcpMcp({ onError: (error) => errors.push(error), ...options });
  let run: Run = async () => {};
  const agent: AcpAgent = {
    capabilities: { mcpCapabilities: { http: true, sse: true }, sessionCapabilities: { close: {} } },
    prompt: async (turn) => run(await mcp.open(turn.session), turn),
  };
  const [left, right] = memoryPair();
  serveAcp(left, agent, { profile: acpProfiles.v1, cancelGraceMs: 30_000 });
  const connected = await connectAcp(right, {
    onWire(direction, message) {
      const { update } = ((message as { params?: unknown }).params ?? {}) as { update?: SessionUpdate };
      if (direction === "in" && update !== undefined) updates.push(update);
    },
    ...client,
  });
  onTestFinished(() => connected.close());
  const session = await connected.newSession({ cwd, mcpServers });
  return {
    session,
    errors,
    updates,
    /** Runs one turn, and gives its stop reason. */
    turn(next: Run) {
      run = next;
      return session.prompt("go").stopReason;
    },
  };
}

const ends = (updates: readonly SessionUpdate[]): unknown[] =>
  updates.flatMap((update) =>
    update.sessionUpdate === "tool_call_update" && update.status !== "in_progress" ? [update] : [],
  );

describe("the MCP servers of a session", () => {
  it("V06: are started on stdio: tools are listed, called, and their content is that of ACP", async () => {
    const { turn, updates } = await start([everything]);
    const outcomes: McpCallOutcome[] = [];
    const reason = await turn(async (mcp, running) => {
      expect(mcp.servers).toMatchObject([{ name: "everything", status: "running", failure: undefined }]);
      expect(mcp.servers[0]?.instructions).toMatch(/\w/);
      expect(mcp.tools.map(({ callName }) => callName)).toContain("everything__get-tiny-image");
      for (const [name, args] of [
        ["echo", { message: "tea" }],
        ["get-tiny-image", {}],
        ["get-resource-reference", { resourceType: "Text", resourceId: 1 }],
        ["get-resource-links", { count: 1 }],
        ["get-structured-content", { location: "Chicago" }],
      ] as const)
        outcomes.push(await mcp.call(running, `everything__${name}`, args));
    });
    expect(reason).toBe("end_turn");
    expect(outcomes[0]).toMatchObject({ allowed: true, isError: false, text: "Echo: tea" });
    expect(outcomes[1]?.text).toContain("[image/png]");
    expect(outcomes[4]?.structuredContent).toMatchObject({ temperature: expect.any(Number) as number });
    const types = ends(updates).map((update) =>
      (update as { content: { content: { type: string } }[] }).content.map(({ content }) => content.type),
    );
    expect(types[0]).toEqual(["text"]);
    expect(types[1]).toContain("image");
    expect(types[2]).toContain("resource");
    expect(types[3]).toContain("resource_link");
    expect(ends(updates)[4]).toMatchObject({ status: "completed", rawOutput: outcomes[4]?.structuredContent });
    expect(updates[0]).toMatchObject({ sessionUpdate: "tool_call", kind: "read", rawInput: { message: "tea" } });
  });

  it("report progress, and a cancelled turn ends a running call", async () => {
    const { turn, updates, session } = await start([everything]);
    const args = { duration: 0.2, steps: 2 };
    await turn(async (mcp, running) => {
      const name = "everything__trigger-long-running-operation";
      expect((await mcp.call(running, name, args)).isError).toBe(false);
    });
    const progress = updates.flatMap((update) =>
      update.sessionUpdate === "tool_call_update" && update.status === "in_progress" ? [update.content] : [],
    );
    expect(progress[0]).toEqual([{ type: "content", content: { type: "text", text: "1/2" } }]);

    let ended: unknown;
    const cancelled = turn(async (mcp, running) => {
      setImmediate(() => session.cancel());
      const name = "everything__trigger-long-running-operation";
      ended = await mcp.call(running, name, { duration: 600, steps: 1 }).catch(() => "rejected");
    });
    expect(await cancelled).toBe("cancelled");
    expect(ended).toBe("rejected");
  });

  it("ask the user about a tool that writes, and remember what holds always", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "acp-mcp-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "a.txt");
    const asked: string[] = [];
    const answers = ["reject_once", "allow_always"] as const;
    const { turn } = await start(
      [serverProgram("filesystem", folder)],
      {},
      {
        permission: async ({ toolCall }) => {
          asked.push(toolCall.title ?? "");
          return answers[asked.length - 1] ?? "reject_once";
        },
      },
    );
    const outcomes: McpCallOutcome[] = [];
    await turn(async (mcp, running) => {
      for (const content of ["no", "yes", "again"])
        outcomes.push(await mcp.call(running, "filesystem__write_file", { path, content }));
      outcomes.push(await mcp.call(running, "filesystem__read_text_file", { path }));
      outcomes.push(await mcp.call(running, "filesystem__read_text_file", { path: "/etc/hostname" }));
    });
    expect(outcomes.map(({ allowed, isError }) => [allowed, isError])).toEqual([
      [false, true],
      [true, false],
      [true, false],
      [true, false],
      [true, true], // outside of the server's folder
    ]);
    expect(asked).toEqual(["Write File (filesystem)", "Write File (filesystem)"]);
    expect(outcomes[3]?.text).toBe("again");
    expect(await readFile(path, "utf8")).toBe("again");
  });

  it.each(["http", "sse"] as const)("are reached over %s, with headers, and change their tools", async (type) => {
    const server = await remoteMcpServer();
    onTestFinished(() => server.close());
    const url = `${server.url}/${type === "http" ? "mcp" : "sse"}`;
    const { turn } = await start([{ type, name: "growing", url, headers: [{ name: "X-Key", value: "k1" }] }]);
    await turn(async (mcp, running) => {
      const names = (): string[] => mcp.tools.map(({ callName }) => callName);
      expect(names()).toEqual(["growing__grow"]);
      expect((await mcp.call(running, "growing__grow", {})).text).toBe("one more");
      while (names().length < 2) await new Promise((resolve) => setImmediate(resolve));
      expect(names()).toEqual(["growing__grow", "growing__grown"]);
    });
    expect(new Set(server.headers)).toEqual(new Set(["k1"]));
  });

  it("do not block a session when they do not start: they are reported, and the others run", async () => {
    const missing: McpServer = { type: "stdio", name: "missing", command: "/nonexistent/mcp", args: [], env: [] };
    const silent: McpServer = {
      ...missing,
      name: "silent",
      command: process.execPath,
      args: ["-e", "setInterval(() => {}, 1e6)"],
    };
    const dying: McpServer = { ...missing, name: "dying", command: process.execPath, args: ["-e", "process.exit(3)"] };
    const { turn, errors, updates } = await start(
      [missing, silent, dying, everything],
      { startTimeoutMs: 3_000 },
      { clientCapabilities: { session: { notices: {} } } },
    );
    const reason = await turn(async (mcp, running) => {
      expect(mcp.servers.map(({ status }) => status)).toEqual(["failed", "failed", "failed", "running"]);
      expect((await mcp.call(running, "everything__echo", { message: "tea" })).text).toBe("Echo: tea");
      await expect(mcp.call(running, "missing__echo", {})).rejects.toThrow("no MCP server has the tool");
    });
    expect(reason).toBe("end_turn");
    expect(errors.map(({ message }) => /^The MCP server (\w+) failed: /.exec(message)?.[1]).sort()).toEqual([
      "dying",
      "missing",
      "silent",
    ]);
    const notices = updates.flatMap((update) => (update.sessionUpdate === "notice" ? [update.title] : []));
    expect(notices.sort()).toEqual(
      ["dying", "missing", "silent"].map((name) => `The MCP server ${name} is not available`),
    );
  });

  it("end with the session, with all processes that they started", async () => {
    const { args } = everything as { args: string[] };
    const shell = `const { spawn } = require("node:child_process");
      const child = spawn(process.execPath, ${JSON.stringify(args)}, { stdio: "inherit" });
      process.stderr.write("pids " + process.pid + " " + child.pid + "\\n");`;
    const wrapped: McpServer = {
      type: "stdio",
      name: "wrapped",
      command: process.execPath,
      args: ["-e", shell],
      env: [],
    };
    let stderr = "";
    const { turn, session } = await start([wrapped], { onStderr: (_server, text) => void (stderr += text) });
    await turn(async (mcp) => {
      expect(mcp.servers).toMatchObject([{ name: "wrapped", status: "running", failure: undefined }]);
    });
    const pids = /pids (\d+) (\d+)/.exec(stderr)?.slice(1).map(Number) ?? [];
    expect(pids.map(isRunning)).toEqual([true, true]);
    await session.close();
    while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it("serve a turn of the official SDK's client, which sends servers without a type", async () => {
    const { official, ours } = officialPair();
    const mcp = createAcpMcp();
    serveAcp(ours, {
      async prompt(turn) {
        const opened = await mcp.open(turn.session);
        const { text } = await opened.call(turn, "everything__get-sum", { a: 2, b: 3 });
        await turn.text(text);
      },
    });
    const texts: unknown[] = [];
    const app = officialClient({ name: "official" })
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.update.sessionUpdate === "agent_message_chunk") texts.push(params.update.content);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => ({
        outcome: { outcome: "selected", optionId: params.options[0]?.optionId ?? "" },
      }));
    const connection = app.connect(official);
    const { agent } = connection;
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION });
    const { name, command, args } = everything as { name: string; command: string; args: string[] };
    const { sessionId } = await agent.request(methods.agent.session.new, {
      cwd,
      mcpServers: [{ name, command, args, env: [] }],
    });
    const prompt = [{ type: "text" as const, text: "sum" }];
    expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({
      stopReason: "end_turn",
    });
    expect(texts).toEqual([{ type: "text", text: "The sum of 2 and 3 is 5." }]);
    connection.close();
  });

  it("throws a TypeError for wrong options", () => {
    expect(() => createAcpMcp({ callTimeoutMs: -1 })).toThrow(TypeError);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
