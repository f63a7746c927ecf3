import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Script, type ScriptedModel, startScriptedModel } from "@editwire/conformance/model";
import type { EcaSession, EcaClient } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { isRemoteError, isWireError, methodsOf } from "@editwire/core";
import { eca, ecaProfiles } from "@editwire/eca-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everything } from "./support/mcp.js";
import { serverCommand } from "./support/server-process.js";
import { tempFolder } from "./support/temp-folder.js";

/** Calls what the prompt's last line names as `NAME JSON`, or else repeats it. */
const obey: Script = function* ({ prompt, rounds }) {
  const line = prompt.split("\n").at(-1) ?? "";
  const [, name = "", json = "{}"] = /^([\w-]+) (\{.*\})$/.exec(line) ?? [];
  if (name === "") return void (yield { say: `You said: ${line}` });
  yield { calls: [{ name, args: JSON.parse(json) as Record<string, unknown> }] };
  yield { say: `Result: ${rounds[0]?.[0]?.result ?? ""}` };
};

const folderOf = (path: string) => ({ uri: pathToFileURL(path).href, name: "p" });

describe("an editor that speaks the 2026 dialect", () => {
  let model: ScriptedModel;
  let server: EcaClient;
  const strange: string[] = [];

  beforeAll(async () => {
    model = await startScriptedModel({ script: obey });
    server = await spawnEca([...serverCommand, "--base-url", model.urls.openai, "--model", "m", "--profile", "v2026"], {
      profile: ecaProfiles.v2026,
      strict: true,
      workspaceFolders: [],
      question: ({ question, options = [] }) =>
        question === "Leave?" ? undefined : `${question} ${options.map(({ label }) => label).join("|")}`,
      diagnostics: (uri) => {
        if (uri === "file:///none") throw new Error("no such file");
        return [
          {
            uri: uri ?? "file:///a.ts",
            severity: "error",
            source: "tsc",
            range: { start: { line: 3, character: 0 }, end: { line: 3, character: 1 } },
            message: "odd",
          },
        ];
      },
      onDiagnostic: ({ id, message }) => strange.push(`${id}: ${message}`),
      onMessage: (type, message) => strange.push(`${type}: ${message}`),
    });
  });
  afterAll(async () => {
    await server.close();
    await model.close();
  });

  const chatWith = async (...messages: readonly string[]): Promise<EcaSession> => {
    const chat = server.newSession({ contexts: [] });
    for (const message of messages) await chat.prompt(message).stopReason;
    return chat;
  };
  const textOf = ({ state }: EcaSession): string[] =>
    state.entries.flatMap((entry) => (entry.type === "message" && entry.role !== "system" ? [entry.text.trim()] : []));
  const promptId = ({ state }: EcaSession, text: string): string => {
    const entry = state.entries.find((candidate) => candidate.type === "message" && candidate.text.trim() === text);
    return entry?.type === "message" ? (entry.contentId ?? "") : "";
  };
  /** What the model was told last, without the system's part. */
  const told = (): string[] =>
    model.requests.at(-1)?.conversation.messages.flatMap(({ role, text }) => (role === "system" ? [] : [text])) ?? [];
  const toolServer = (name: string) =>
    server.state.toolServers.find((one) => one.type === "mcp" && one["name"] === name);
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const stop = server.subscribe(() => look());
      const look = (): void => {
        if (!holds()) return;
        stop();
        resolve();
      };
      look();
    });

  it("opens and closes folders, and files, contexts and tools follow", async () => {
    const [one, two] = [await tempFolder({ "in-one.ts": "1" }), await tempFolder({ "in-two.ts": "2" })];
    const chat = server.newSession({ contexts: [] });
    const paths = async (): Promise<unknown[]> =>
      (await chat.queryFiles("in-")).flatMap((file) => (file.type === "file" ? file.path : []));
    expect(await paths()).toEqual([]);
    await server.changeWorkspaceFolders({ added: [folderOf(one), folderOf(two)] });
    expect((await paths()).sort()).toEqual([join(one, "in-one.ts"), join(two, "in-two.ts")].sort());
    await chat.prompt('list_files {"path":"."}').stopReason;
    expect(textOf(chat).at(-1)).toContain("in-one.ts");
    await server.changeWorkspaceFolders({
      removed: [{ ...folderOf(one), uri: `${folderOf(one).uri}/` }],
      added: [folderOf("/no/such/folder")],
    });
    expect(await paths()).toEqual([join(two, "in-two.ts")]);
    expect((await chat.queryContext("in-")).map(({ type }) => type)).toEqual(["file"]);
    await chat.prompt('list_files {"path":"."}').stopReason;
    expect(textOf(chat).at(-1)).toMatch(/in-two\.ts/);
    expect(strange.splice(0)).toEqual(["warning: There is no folder /no/such/folder"]);
    await server.changeWorkspaceFolders({ removed: [folderOf(two), folderOf("/no/such/folder")] });
  });

  it("lists its chats, renames one, and is shown it again after it was forgotten here", async () => {
    const chat = await chatWith("name me");
    await chat.rename("A good name");
    const id = chat.id ?? "";
    const [first] = await server.listSessions({ limit: 1 });
    expect(first).toMatchObject({ id, title: "A good name", status: "idle", model: "m", messageCount: 2 });
    expect(await server.loadSession({ sessionId: id })).toBe(chat);
    expect(chat.state).toMatchObject({ title: "A good name", config: { selectModel: "m", selectTrust: false } });
    expect(textOf(chat)).toEqual(["name me", "You said: name me"]);
    expect(await server.loadSession({ sessionId: "nobody" })).toBeUndefined();
    await chat.delete();
    expect(await server.loadSession({ sessionId: id })).toBeUndefined();
  });

  it("empties a chat, and the model remembers nothing of it", async () => {
    const chat = await chatWith("secret");
    await chat.clear();
    await chat.prompt("what was it?").stopReason;
    expect(told()).toEqual(["what was it?"]);
  });

  it("takes prompts back, and what its tools changed it cannot", async () => {
    const chat = await chatWith("one", "/costs", "two", "three");
    await expect(chat.rollback(promptId(chat, "two"), { tools: true })).rejects.toThrow(
      "what tools changed cannot be undone by this server",
    );
    await chat.rollback(promptId(chat, "two"));
    expect(textOf(chat)).toEqual(["one", "You said: one", "/costs"]);
    await chat.prompt("four").stopReason;
    expect(told()).toEqual(["one", "You said: one", "four"]);
    await chat.rollback(promptId(chat, "one"));
    await chat.prompt("five").stopReason;
    expect(told()).toEqual(["five"]);
    await expect(chat.rollback("no such prompt")).rejects.toMatchObject({ code: -32_602 });
  });

  it("forks a chat, whose two ways know nothing of each other", async () => {
    const chat = await chatWith("one", "two");
    const fork = await chat.fork(promptId(chat, "two"));
    expect(textOf(fork)).toEqual(["one", "You said: one", "two"]);
    await fork.prompt("three").stopReason;
    expect(told()).toEqual(["one", "You said: one", "two", "three"]);
    await fork.rollback(promptId(fork, "two"));
    await chat.prompt("four").stopReason;
    expect(told()).toEqual(["one", "You said: one", "two", "You said: two", "four"]);
  });

  it("is asked by the model, and tells it what is wrong in the files", async () => {
    expect(server.state.toolServers[0]).toMatchObject({
      type: "native",
      tools: expect.arrayContaining([
        expect.objectContaining({ name: "ask_user" }),
        expect.objectContaining({ name: "editor_diagnostics" }),
      ]),
    });
    const answerTo = async (prompt: string): Promise<string | undefined> => textOf(await chatWith(prompt)).at(-1);
    expect(await answerTo('ask_user {"question":"Which?","options":["a","b"]}')).toBe(
      "Result: The user answered: Which? a|b",
    );
    expect(await answerTo('ask_user {"question":"Leave?"}')).toBe("Result: The user did not answer.");
    expect(await answerTo('ask_user {"query":1}')).toMatch(/^Result: Error: The arguments of ask_user do not fit/);
    expect(await answerTo("editor_diagnostics {}")).toBe("Result: file:///a.ts:4: error: odd (tsc)");
    expect(await answerTo('editor_diagnostics {"uri":"file:///none"}')).toMatch(
      /^Result: Error: The editor could not answer: /,
    );
  });

  it("adds, changes, disables and removes MCP servers", async () => {
    const { connection } = server;
    const { command, args } = everything;
    const status = (wanted: string) => until(() => toolServer("new")?.["status"] === wanted);
    const env = { "my-Key": "1", snake_key: "2" };
    expect(
      await connection.request("mcp/addServer", {
        name: "new",
        command: "no-such-program",
        args: [],
        env,
        disabled: true,
      }),
    ).toMatchObject({ server: { name: "new", status: "disabled" } });
    await status("disabled");
    expect(await connection.request("mcp/updateServer", { name: "new", command, args: [...args] })).toEqual({});
    await connection.notify("mcp/enableServer", { name: "new" });
    await status("running");
    const chat = server.newSession({ contexts: [] });
    await chat.trust(true);
    await chat.prompt("new__get-env {}").stopReason;
    expect(textOf(chat).at(-1)).toContain("my-Key"); // the keys of an environment are the user's
    await connection.notify("mcp/disableServer", { name: "new" });
    await status("disabled");
    await expect(connection.request("mcp/addServer", { name: "new", command })).rejects.toMatchObject({
      code: -32_602,
      message: "mcp/addServer: there is an MCP server new already",
    });
    await expect(connection.request("mcp/addServer", { name: "far", url: "https://example.com/mcp" })).rejects.toThrow(
      "this server starts MCP servers by a command",
    );
    await connection.notify("mcp/connectServer", { name: "new" });
    expect(await connection.request("mcp/removeServer", { name: "new" })).toEqual({ name: "new", removed: true });
    await until(() => toolServer("new") === undefined);
    await expect(connection.request("mcp/removeServer", { name: "new" })).rejects.toMatchObject({ code: -32_602 });
    expect(strange.splice(0)).toEqual([
      "warning: The MCP server new is started by a command: there is nothing to log in to or out of.",
    ]);
  });

  it("has an answer of its own for every request of the protocol, and nothing was odd before", async () => {
    expect(strange).toEqual([]);
    for (const [method, { kind, from }] of methodsOf(eca)) {
      if (kind !== "request" || from !== "client" || method === "shutdown") continue;
      const answer: unknown = await server.connection
        .request(method as "chat/list", samples[method] ?? ({ ...everyField } as never), { timeoutMs: 10_000 })
        .catch((error: unknown) => error);
      if (isRemoteError(answer)) expect(answer.code, method).not.toBe(-32_601);
      expect(isWireError(answer) ? `${method}: ${answer.message}` : "").toBe("");
    }
  });
});

const at = { line: 1, character: 1 };
/** Fields that fit most of the requests; their names mean the same everywhere. */
const everyField = {
  ...{ chatId: "none", contentId: "none", text: "x", query: "", contexts: [], include: ["messages"] },
  ...{ name: "none", provider: "none", data: {}, jobId: "none", message: "hi" },
};
const samples: Readonly<Record<string, never>> = {
  initialize: { processId: null, capabilities: {}, workspaceFolders: [] } as never,
  "completion/inline": { docText: "", docVersion: 1, position: at } as never,
  "rewrite/prompt": { id: "r", text: "", prompt: "", range: { start: at, end: at } } as never,
};
