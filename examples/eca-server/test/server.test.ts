import { cp, mkdtemp, readFile, realpath, rm, watch, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type RecordedRequest, type Script, type ScriptedModel, startScriptedModel } from "@editwire/conformance/model";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { everything } from "./support/mcp.js";
import { type Content, type Message, type ServerProcess, startServer } from "./support/server-process.js";
import { tempFolder } from "./support/temp-folder.js";

const FIXED = "return a.from < b.to && b.from < a.to;";

/**
 * Does as the prompt's last line says: `call NAME JSON`, `long`, `fail`, or else an answer. Then it says what came of
 * it.
 */
const obey: Script = function* ({ prompt, rounds }) {
  const line = prompt.split("\n").at(-1) ?? "";
  const [, name = "", json = "{}"] = /^call (\S+) (.*)$/.exec(line) ?? [];
  if (line === "fail") return void (yield { fail: { status: 401, message: "no" } });
  if (line === "long") return void (yield { say: "word ".repeat(2_000), holdMs: 60_000 });
  if (name === "") return void (yield { say: `You said: ${line}` });
  yield { calls: [{ name, args: JSON.parse(json) as Record<string, unknown> }] };
  yield { say: `Result: ${rounds[0]?.[0]?.result ?? ""}` };
};

const initializeFor = (...folders: readonly string[]) => ({
  processId: process.pid,
  capabilities: { codeAssistant: { chat: true } },
  workspaceFolders: folders.map((folder) => ({ uri: pathToFileURL(folder).href, name: "p" })),
});

async function ready(running: ServerProcess, ...folders: readonly string[]): Promise<void> {
  await running.call("initialize", initializeFor(...folders));
  running.notify("initialized", {});
  await running.until(({ method, params }) => method === "$/progress" && params?.["type"] === "finish");
}

/** Resolves when a file is made in a folder that is there. */
async function watchFor(path: string): Promise<void> {
  for await (const { filename } of watch(dirname(path))) if (filename === basename(path)) return;
}

const textOf = (contents: readonly Content[]): string =>
  contents.map(({ role, type, text }) => (role === "assistant" && type === "text" ? text : "")).join("");
const types = (contents: readonly Content[]): string[] =>
  contents
    .filter(({ state, type, role }) => state !== "running" && !(type === "text" && role === "user"))
    .map(({ type }) => type);

describe("with its own scripted model", () => {
  it("fixes the sample project, asks before it runs or writes, and ends on exit", async () => {
    const folder = await tempFolder();
    await cp(fileURLToPath(new URL("../../sample-project", import.meta.url)), folder, { recursive: true });
    const running = startServer("--log-level", "debug");
    onTestFinished(() => void running.child.kill("SIGKILL"));
    await ready(running, folder);
    await running.call("chat/prompt", { chatId: "c", message: "Fix the failing test." });
    const asked: Content[] = [];
    for (let count = 0; count < 3; count++) {
      const call = await running.approval();
      asked.push(call);
      running.notify("chat/toolCallApprove", { chatId: "c", toolCallId: call["id"] });
    }
    const contents = await running.finished(1, "c");
    expect(asked.map(({ summary }) => summary)).toEqual(["Run node --test", "Edit src/stay.js", "Run node --test"]);
    expect(asked[1]?.["details"]).toMatchObject({
      type: "fileChange",
      path: join(folder, "src/stay.js"),
      linesAdded: 1,
      linesRemoved: 1,
      diff: expect.stringContaining(`+  ${FIXED}`),
    });
    expect(await readFile(join(folder, "src/stay.js"), "utf8")).toContain(FIXED);
    expect(textOf(contents)).toMatch(/All 11 tests pass now/);
    const usages = contents.filter(({ type }) => type === "usage");
    expect(usages.at(-1)).toMatchObject({ messageCost: "0.00", sessionCost: "0.00" });
    expect(Number(usages.at(-1)?.["sessionTokens"])).toBeGreaterThan(Number(usages[0]?.["sessionTokens"]));
    expect(contents.filter(({ type }) => type.startsWith("reason")).map(({ type }) => type)).toEqual(
      expect.arrayContaining(["reasonStarted", "reasonText", "reasonFinished"]),
    );

    expect((await running.call("shutdown", null)).result).toBeNull();
    running.notify("exit", null);
    expect(await running.exited).toBe(0);
    expect(running.log()).toContain("ignored: --log-level debug");
  });
});

describe("one server", () => {
  let model: ScriptedModel;
  let running: ServerProcess & { child: { kill(name: "SIGKILL"): boolean } };
  let folder: string;
  let removeFolder = async (): Promise<void> => {};
  let chats = 0;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "eca-one-")));
    removeFolder = () => rm(folder, { recursive: true, force: true });
    const config = join(folder, "mcp.json");
    await writeFile(
      config,
      JSON.stringify({
        mcpServers: {
          everything: { command: everything.command, args: everything.args },
          broken: { command: "no-such-program" },
        },
      }),
    );
    await writeFile(join(folder, "a.ts"), "one\ntwo\nthree\n");
    model = await startScriptedModel({ script: obey });
    running = startServer(
      "--base-url",
      model.urls.openai,
      "--model",
      "m",
      "--mcp-config",
      config,
      "--input-price",
      "1000",
      "--output-price",
      "1000",
    );
    await ready(running, folder, "/no/such/folder");
  });
  afterAll(async () => {
    running.child.kill("SIGKILL");
    await running.exited;
    await model.close();
    await removeFolder();
  });

  /** Prompts in a chat of its own; `answer` is given to every call that waits. */
  async function prompt(
    message: string,
    answer: "chat/toolCallApprove" | "chat/toolCallReject" | "none",
    params: object = {},
  ): Promise<Content[]> {
    const chatId = `chat-${++chats}`;
    await running.call("chat/prompt", { chatId, message, ...params });
    if (answer !== "none") {
      const call = await running.approval(chatId);
      running.notify(answer, { chatId, toolCallId: call["id"] });
    }
    return running.finished(1, chatId);
  }
  const lastAsked = (): RecordedRequest["conversation"] => (model.requests.at(-1) as RecordedRequest).conversation;
  const updates = (name: string): Message["params"][] =>
    running.received
      .filter(({ method, params }) => method === "tool/serverUpdated" && params?.["name"] === name)
      .map(({ params }) => params);

  it("S18: shows its tools and its MCP servers, and warns of a folder that is not there", () => {
    expect(updates("ECA")).toEqual([
      expect.objectContaining({
        type: "native",
        status: "running",
        tools: expect.arrayContaining([expect.objectContaining({ name: "edit_file" })]),
      }),
    ]);
    expect(updates("everything").map((update) => update?.["status"])).toEqual(
      expect.arrayContaining(["stopped", "starting", "running"]),
    );
    expect(updates("everything").at(-1)).toMatchObject({
      type: "mcp",
      command: everything.command,
      args: everything.args,
      tools: expect.arrayContaining([
        expect.objectContaining({ name: "echo", parameters: expect.objectContaining({ type: "object" }) }),
      ]),
    });
    // Its prompts and resources too, which are commands and contexts.
    expect(updates("everything").at(-1)).toMatchObject({
      prompts: expect.arrayContaining([
        expect.objectContaining({
          name: "args-prompt",
          arguments: expect.arrayContaining([expect.objectContaining({ name: "city", required: true })]),
        }),
      ]),
    });
    expect(updates("everything").at(-1)).toMatchObject({
      resources: expect.arrayContaining([
        expect.objectContaining({
          name: "architecture.md",
          uri: expect.stringMatching(/^demo:/),
          mimeType: "text/markdown",
        }),
      ]),
    });
    expect(updates("broken").at(-1)).toMatchObject({ status: "failed", tools: [] });
    expect(running.received.find(({ method }) => method === "$/showMessage")?.params).toEqual({
      type: "warning",
      message: "There is no folder /no/such/folder",
    });
  });

  it("S30: runs an MCP tool when the user approves, and tells the model when not", async () => {
    const call = 'call everything__echo {"message":"Grüße","other-key":1}';
    const approved = await prompt(call, "chat/toolCallApprove");
    expect(types(approved).filter((type) => type !== "text")).toEqual([
      "usage",
      "toolCallPrepare",
      "toolCallRun",
      "toolCalled",
      "usage",
      "progress",
    ]);
    const called = approved.find(({ type }) => type === "toolCalled");
    expect(called).toMatchObject({
      origin: "mcp",
      server: "everything",
      name: "echo",
      error: false,
      arguments: { message: "Grüße", "other-key": 1 },
      outputs: [{ type: "text", text: "Echo: Grüße" }],
    });
    expect(textOf(approved)).toBe("Result: Echo: Grüße");
    const rejected = await prompt(call, "chat/toolCallReject");
    expect(rejected.find(({ type }) => type === "toolCallRejected")).toMatchObject({ origin: "mcp", reason: "user" });
    expect(textOf(rejected)).toMatch(/^Result: The user rejected this call/);
  });

  it("S38: stops and starts an MCP server, with its commands, contexts and tools", async () => {
    const commands = async () =>
      (
        (await running.call("chat/queryCommands", { query: "everything" })).result as {
          commands: { name: string; type: string }[];
        }
      ).commands;
    expect((await commands()).map(({ type }) => type)).toContain("mcp-prompt");
    const { contexts } = (await running.call("chat/queryContext", { query: "architecture", contexts: [] })).result as {
      contexts: object[];
    };
    expect(contexts).toEqual([
      expect.objectContaining({ type: "mcpResource", server: "everything", description: expect.any(String) }),
    ]);
    await prompt("see", "none", { contexts });
    expect(JSON.stringify(lastAsked().messages)).toContain("Architecture");

    running.notify("mcp/stopServer", { name: "nobody" });
    running.notify("mcp/stopServer", { name: "everything" });
    await running.until(() => updates("everything").at(-1)?.["status"] === "stopped");
    expect(await commands()).toEqual([]);
    expect(textOf(await prompt("call everything__echo {}", "none"))).toBe(
      "Result: Error: There is no tool everything__echo.",
    );
    running.notify("mcp/startServer", { name: "everything" });
    await running.until(() => updates("everything").at(-1)?.["status"] === "running");
    expect((await commands()).length).toBeGreaterThan(2);
  });

  it("S36: runs the commands of its own and the prompts of MCP servers", async () => {
    expect(
      ((await running.call("chat/queryCommands", { query: "/cost" })).result as { commands: object[] }).commands,
    ).toEqual([{ name: "costs", description: expect.any(String), type: "native", arguments: [] }]);
    const doctor = await prompt("/doctor", "none");
    expect(doctor.find(({ role, type }) => role === "system" && type === "text")?.["text"]).toMatch(
      /Model: m\nFolder: .*eca-one-[^]*MCP server everything: running, 1\d tools\nMCP server broken: .*ENOENT/,
    );
    expect(types(doctor)).toEqual(["text", "progress"]);
    expect(JSON.stringify(await prompt("/repo-map", "none"))).toContain("a.ts");
    expect(textOf(await prompt('/everything:args-prompt "New York"', "none"))).toMatch(/^You said: .*New York/);
    expect(JSON.stringify(await prompt("/everything:args-prompt", "none"))).toContain(
      "/everything:args-prompt needs city",
    );
    expect(textOf(await prompt("/etc/hosts is a file", "none"))).toBe("You said: /etc/hosts is a file");
  });

  it("gives the model the lines and the map that the user adds, and nothing outside of the folder", async () => {
    const contexts = [
      { type: "file", path: join(folder, "a.ts"), linesRange: { start: 2, end: 3 } },
      { type: "repoMap" },
      { type: "file", path: "/etc/passwd" },
      { type: "smell" },
    ];
    const contents = await prompt("look", "none", { contexts });
    expect(contents.some(({ text }) => text === "Parsing given context")).toBe(true);
    const asked = lastAsked().messages.at(-1)?.text ?? "";
    expect(asked).toContain("lines 2 to 3:\n\ntwo\nthree");
    expect(asked).toContain("mcp.json");
    expect(asked).toContain("/etc/passwd: cannot be read");
    expect(asked).not.toContain("root:");
  });

  it("S35: answers queries for contexts and files", async () => {
    const a = { type: "file", path: join(folder, "a.ts") };
    const { result } = await running.call("chat/queryContext", { chatId: "x", query: "", contexts: [a] });
    const { contexts } = result as { contexts: object[] };
    expect(contexts).toEqual(
      expect.arrayContaining([{ type: "repoMap" }, { type: "file", path: join(folder, "mcp.json") }]),
    );
    expect(contexts).not.toContainEqual(a);
    expect((await running.call("chat/queryFiles", { query: "a.ts" })).result).toEqual({ files: [a] });
  });

  it("plan neither writes nor runs, nor has MCP tools", async () => {
    expect(textOf(await prompt('call write_file {"path":"x","content":"y"}', "none", { behavior: "plan" }))).toBe(
      'Result: Error: The chat\'s behavior "plan" does not allow write_file',
    );
    expect(lastAsked().tools.map(({ name }) => name)).toEqual([
      ...["update_plan", "list_files", "read_file", "search", "read_job"],
    ]);
    expect(textOf(await prompt("call everything__echo {}", "none", { agent: "plan" }))).toContain(
      "There is no tool everything__echo",
    );
  });

  it("shows an impossible call as failed, without asking, and reports invalid arguments to the model", async () => {
    const contents = await prompt('call edit_file {"path":"a.ts","old_text":"nowhere","new_text":"x"}', "none");
    expect(
      contents
        .filter(({ type }) => type.startsWith("toolCall"))
        .map(({ type, manualApproval, error }) => [type, manualApproval, error]),
    ).toEqual([
      ["toolCallPrepare", false, undefined],
      ["toolCallRun", false, undefined],
      ["toolCalled", undefined, true],
    ]);
    expect(textOf(await prompt('call read_file {"path":1}', "none"))).toMatch(
      /^Result: Error: The arguments of read_file do not fit/,
    );
  });

  it("S34: stops in the middle of an answer, of an approval and of a program, and the chat goes on", async () => {
    const stopped = async (
      message: string,
      approve: boolean,
      when: (contents: Content[]) => boolean,
      also?: Promise<unknown>,
    ): Promise<Content[]> => {
      const chatId = `chat-${++chats}`;
      await running.call("chat/prompt", { chatId, message });
      if (approve)
        running.notify("chat/toolCallApprove", { chatId, toolCallId: (await running.approval(chatId))["id"] });
      await running.until(() => when(running.contents(chatId)));
      await also;
      running.notify("chat/promptStop", { chatId });
      const contents = await running.finished(1, chatId);
      await running.call("chat/prompt", { chatId, message: "still there?" });
      expect(textOf(await running.finished(2, chatId))).toContain("You said: still there?");
      return contents;
    };
    const isRun = ({ type }: Content): boolean => type === "toolCallRun";
    const long = await stopped("long", false, (contents) => textOf(contents) !== "");
    expect(long.at(-2)).toMatchObject({ role: "system", text: "\nPrompt stopped" });
    const write = await stopped('call write_file {"path":"x","content":"y"}', false, (contents) =>
      contents.some(isRun),
    );
    expect(types(write)).toEqual(["usage", "toolCallPrepare", "toolCallRun", "toolCallRejected", "text", "progress"]);
    const started = join(folder, "started");
    const reports = `require("node:fs").writeFileSync(${JSON.stringify(started)}, "")`;
    const deaf = `process.on("SIGTERM", () => {}); ${reports}; setInterval(() => {}, 1e6)`;
    const isStarted = watchFor(started);
    const run = await stopped(
      `call run_command ${JSON.stringify({ argv: [process.execPath, "-e", deaf] })}`,
      true,
      () => true,
      isStarted,
    );
    expect(types(run)).toEqual(["usage", "toolCallPrepare", "toolCallRun", "toolCalled", "text", "progress"]);
    expect(lastAsked().messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
  });

  it("S26: a model that fails ends the turn with the reason", async () => {
    const contents = await prompt("fail", "none");
    expect(contents.slice(-2)).toMatchObject([
      { role: "system", type: "text", text: expect.stringMatching(/refused the API key \(401\)/) },
      { state: "finished" },
    ]);
  });

  it("S37: a deleted chat starts empty, and its costs with it", async () => {
    const costs = async (): Promise<string> => {
      const before = running.contents("d").filter(({ state }) => state === "finished").length;
      await running.call("chat/prompt", { chatId: "d", message: "/costs" });
      return String(
        (await running.finished(before + 1, "d")).findLast(({ role, type }) => role === "system" && type === "text")?.[
          "text"
        ],
      );
    };
    await running.call("chat/prompt", { chatId: "d", message: "first" });
    const usage = (await running.finished(1, "d")).find(({ type }) => type === "usage");
    const tokens = Number(usage?.["messageInputTokens"]) + Number(usage?.["messageOutputTokens"]);
    expect(usage).toMatchObject({
      sessionTokens: tokens,
      messageCost: (tokens / 1000).toFixed(2),
      sessionCost: (tokens / 1000).toFixed(2),
    });
    expect(await costs()).toContain(`Cost: $${(tokens / 1000).toFixed(4)}`);
    expect((await running.call("chat/delete", { chatId: "d" })).result).toEqual({});
    expect(await costs()).toBe("Tokens sent: 0\nTokens received: 0\nCost: $0.0000");
    await running.call("chat/prompt", { chatId: "d", message: "again" });
    await running.finished(4, "d");
    const said = lastAsked().messages.filter(({ role }) => role === "user");
    expect(said.map(({ text }) => text)).toEqual(["again"]);
  });
});
