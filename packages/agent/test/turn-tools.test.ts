import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AcpPermissionAnswer } from "@editwire/acp";
import { openIdeTools } from "@editwire/ide-tools";
import type { SmanIde } from "@editwire/sman";
import { listenSman } from "@editwire/sman/node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentEvent, type AgentTurn, createAgent, type TurnTools, turnTools } from "../src/index.js";
import type { TurnToolsSource, TurnToolsOptions } from "../src/ide/turn-tools.js";
import { commands } from "./commands.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "editwire-agent-")));
const file = join(folder, "a.ts");
const backend = await listenSman({});
let plugin: ChildProcess;

async function startPlugin(): Promise<SmanIde> {
  const [command = "", ...args] = commands.idePlugin;
  plugin = spawn(command, [...args, backend.url, folder], { stdio: ["ignore", "ignore", "inherit"] });
  return backend.ide({}, { timeoutMs: 10_000 });
}

let inIde: SmanIde;
let inProcess: Awaited<ReturnType<typeof openIdeTools>>;
beforeAll(async () => {
  inIde = await startPlugin();
  inProcess = await openIdeTools(folder, { searchEngine: "scan" });
});
afterAll(async () => {
  plugin.kill("SIGKILL");
  await backend.close();
  await inProcess.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => writeFileSync(file, "const a = 1;\nconst b = 2;\n"));

interface Run {
  readonly result: Awaited<ReturnType<TurnTools["grepFile"]>> | undefined;
  readonly calls: readonly Extract<AgentEvent, { type: "tool_call" }>["toolCall"][];
  readonly stopReason: string;
}

/** Runs a turn that calls a tool, and shows what a view of it receives. */
async function run(
  source: TurnToolsSource,
  use: (tools: TurnTools, turn: AgentTurn) => ReturnType<TurnTools["grepFile"]>,
  { answer, ...options }: TurnToolsOptions & { answer?: AcpPermissionAnswer } = {},
): Promise<Run> {
  let result: Run["result"];
  const agent = createAgent({
    async prompt(turn) {
      result = await use(turnTools(turn, source, options), turn);
    },
  });
  const session = await agent.newSession({ cwd: folder });
  const calls: Run["calls"][number][] = [];
  const { stopReason } = await session.prompt("go", {
    view: {
      name: "view",
      event: (event) => void (event.type === "tool_call" && calls.push(event.toolCall)),
      permission: async () => answer,
    },
  });
  return { result, calls, stopReason };
}

const sources: Record<string, () => TurnToolsSource> = {
  "an IDE over sman": () => inIde,
  "the tools in this process": () => inProcess,
};

describe.each(Object.entries(sources))("turnTools with %s", (_, source) => {
  it("searches and reads without a question", async () => {
    const found = await run(source(), (tools) => tools.grepFile({ pattern: "const b" }));
    expect(found.result?.text).toContain("const b = 2;");
    expect(found.calls.map(({ status }) => status)).toEqual(["pending", "in_progress", "completed"]);
    expect(found.calls.at(-1)).toMatchObject({
      title: 'Search for "const b"',
      name: "grep_file",
      kind: "search",
      input: { pattern: "const b" },
      output: found.result?.text,
    });
    const read = await run(source(), (tools) => tools.readFile({ relativePath: "a.ts", start_line: 2, end_line: 2 }));
    expect(read.result).toMatchObject({ status: "completed", text: expect.stringContaining("const b = 2;") });
    expect(read.calls.at(-1)).toMatchObject({
      title: "Read a.ts:2-2",
      kind: "read",
      locations: [{ path: file, line: 2 }],
    });
  });

  it("changes a file when the user allows it, and only then", async () => {
    const change = { relativePath: "a.ts", searchContent: "const a = 1;", replaceContent: "let a = 1;" };
    const rejected = await run(source(), (tools) => tools.applyChange(change), { answer: "reject_once" });
    expect(rejected.result).toEqual({ status: "rejected", text: "The user rejected this call." });
    expect(readFileSync(file, "utf8")).toContain("const a = 1;");
    const allowed = await run(source(), (tools) => tools.applyChange(change), { answer: "allow_once" });
    expect(allowed.result?.status).toBe("completed");
    expect(allowed.calls.map(({ status }) => status)).toEqual(["pending", "waiting", "in_progress", "completed"]);
    expect(allowed.calls[0]).toMatchObject({
      title: "Edit a.ts",
      kind: "edit",
      contents: [{ type: "diff", path: file, oldText: "const a = 1;", newText: "let a = 1;" }],
      locations: [{ path: file }],
    });
    expect(readFileSync(file, "utf8")).toBe("let a = 1;\nconst b = 2;\n");
  });

  it("gives the model the text of a failure", async () => {
    const { result, calls } = await run(source(), (tools) => tools.readFile({ relativePath: "missing.ts" }));
    expect(result).toMatchObject({ status: "failed", text: expect.stringContaining("missing.ts") });
    expect(result?.text).not.toContain(folder);
    expect(calls.at(-1)).toMatchObject({ status: "failed", output: result?.text });
  });

  it("asks for the tools that the option `asks` names", async () => {
    const options = { asks: ["call_chain"], answer: "reject_once" } as const;
    const { result, calls } = await run(source(), (tools) => tools.callChain({ method: "A.b" }), options);
    expect(result?.status).toBe("rejected");
    expect(calls.at(-1)).toMatchObject({ title: "Find callers and callees of A.b", status: "rejected" });
  });
});

describe("turnTools", () => {
  it("ends a call that hangs when its time is over", async () => {
    const hangs = (tools: TurnTools) => tools.grepFile({ pattern: "hang" });
    const { result } = await run(inIde, hangs, { timeoutMs: 50 });
    expect(result).toMatchObject({ status: "failed", text: expect.stringContaining("grep_file") });
  });

  it("ends with the turn", async () => {
    const { result, calls, stopReason } = await run(inIde, (tools, turn) => {
      const call = tools.grepFile({ pattern: "hang" });
      setImmediate(() => turn.session.cancel());
      return call;
    });
    expect(stopReason).toBe("cancelled");
    expect(result?.status).toBe("cancelled");
    expect(calls.at(-1)?.status).toBe("cancelled");
  });

  it("reports an IDE that is killed, and works with the next one", async () => {
    const killed = await run(inIde, (tools) => {
      const call = tools.grepFile({ pattern: "hang" });
      setImmediate(() => plugin.kill("SIGKILL"));
      return call;
    });
    expect(killed.result?.status).toBe("failed");
    inIde = await startPlugin();
    const { result } = await run(inIde, (tools) => tools.readFile({ relativePath: "a.ts" }));
    expect(result?.text).toContain("const a = 1;");
  });

  it("passes through what is neither of the tool nor of its connection", async () => {
    const broken = { ...inProcess, grep_file: async () => Promise.reject(new Error("a secret")) };
    const thrown = await run(broken, async (tools) => {
      await expect(tools.grepFile({ pattern: "a" })).rejects.toThrow("a secret");
      return { status: "failed", text: "" };
    });
    expect(thrown.calls.at(-1)).toMatchObject({ status: "failed", output: "Internal error" });
  });
});
