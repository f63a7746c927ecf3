import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { bundle as bundleExtension } from "../src/bundle.js";

/** The stub's side that the test drives. */
interface Stub {
  readonly user: {
    inputs: string[];
    answers: (string | undefined)[];
    cancel: (() => void) | undefined;
    editor: object | undefined;
    command: string[];
    picked: string | undefined;
    changeFolders: ((change: object) => Promise<void>) | undefined;
  };
  readonly seen: { output: string; messages: string[]; asked: { text: string; detail: string }[]; progress: string[] };
  run(command: string): Promise<void>;
  commandNames(): string[];
}

interface Extension {
  activate(context: { subscriptions: { dispose(): void }[] }): void;
  deactivate(): Promise<void>;
}

const folder = mkdtempSync(join(tmpdir(), "editwire-vscode-extension-"));
const { server } = await bundle(import.meta.url, { server: "fixtures/server.ts" });
const require = createRequire(join(folder, "index.js"));
const context = { subscriptions: [] as { dispose(): void }[] };
let vscode: Stub;
let extension: Extension;

beforeAll(async () => {
  mkdirSync(join(folder, "node_modules/vscode"), { recursive: true });
  cpSync(fileURLToPath(new URL("fixtures/vscode.cjs", import.meta.url)), join(folder, "node_modules/vscode/index.js"));
  await bundleExtension(join(folder, "extension.cjs"));
  vscode = require("vscode") as Stub;
  extension = require(join(folder, "extension.cjs")) as Extension;
});

beforeEach(() => {
  Object.assign(vscode.user, {
    inputs: [],
    answers: [],
    cancel: undefined,
    editor: undefined,
    picked: undefined,
    command: [process.execPath, server],
  });
  Object.assign(vscode.seen, { output: "", messages: [], asked: [], progress: [] });
  extension.activate(context);
});

afterEach(async () => {
  await extension.deactivate();
  for (const { dispose } of context.subscriptions.splice(0)) dispose();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function chat(...inputs: string[]): Promise<void> {
  vscode.user.inputs.push(...inputs);
  await vscode.run("editwire.chat");
}

describe("the extension", () => {
  it("runs a turn, and asks before a tool runs", async () => {
    vscode.user.answers.push("Allow", undefined);
    await chat("hello");
    expect(vscode.seen.output.split("\n")).toEqual([
      "Open: file:///work/project",
      "",
      "> hello",
      "You said: hello.",
      "[pending] Writing /x",
      "",
      "[waiting] Writing /x",
      "",
      "[completed] Writing /x",
      "Bye.",
      "",
    ]);
    expect(vscode.seen.asked).toEqual([
      { text: "Allow the tool call “Writing /x”?", detail: "/x  +1 −1\n\n@@ -1 +1 @@\n-old\n+new" },
    ]);
    expect(vscode.seen.messages).toEqual(["info: the server is ready"]);
    await chat("again");
    expect(vscode.seen.output).toContain("[rejected] Writing /x");
    await vscode.run("editwire.newSession");
    expect(vscode.seen.output).toBe("");
  });

  it("sends what is open and selected with the prompt", async () => {
    const document = { uri: { scheme: "file", fsPath: "/work/project/a.ts" } };
    vscode.user.editor = { document, selection: { isEmpty: true, start: { line: 0 }, end: { line: 0 } } };
    await chat("contexts");
    expect(vscode.seen.output).toContain(`[{"type":"repoMap"},{"type":"file","path":"/work/project/a.ts"}]`);
    vscode.user.editor = { document, selection: { isEmpty: false, start: { line: 2 }, end: { line: 4 } } };
    await chat("contexts");
    expect(vscode.seen.output).toContain(`"path":"/work/project/a.ts","linesRange":{"start":3,"end":5}}]`);
  });

  it("asks the user what the server asks, with answers to pick or in own words", async () => {
    vscode.user.picked = "this";
    await chat("ask");
    vscode.user.picked = "Something else…";
    await chat("ask", "none of them");
    await chat("ask");
    expect(vscode.seen.asked[0]).toEqual({ text: "Which?", detail: "this|Something else…" });
    expect(vscode.seen.output.split("\n").filter((line) => /^(this|none of them|undefined)$/.test(line))).toEqual([
      "this",
      "none of them",
      "undefined",
    ]);
  });

  it("tells the server of problems, and of folders that come and go", async () => {
    await chat("problems");
    expect(vscode.seen.output).toContain('[["file:///work/project/a.ts","warning",2],["file:///b.ts","warning",2]]');
    const folder = (name: string): object => ({ name, uri: { toString: () => `file:///${name}` } });
    await vscode.user.changeFolders?.({ added: [folder("new")], removed: [folder("old")] });
    await chat("folders");
    expect(vscode.seen.output).toContain("-file:///old,+file:///new");
  });

  it("stops a turn when the user cancels its progress, and goes on", async () => {
    const turn = chat("wait");
    await until(() => vscode.seen.output.includes("waiting"));
    vscode.user.cancel?.();
    await turn;
    expect(vscode.seen.output).toContain("(cancelled)");
    await chat("contexts");
    expect(vscode.seen.output).toContain(`[{"type":"repoMap"}]`);
  });

  it("says why the server could not be started, and starts it with the next prompt", async () => {
    vscode.user.command = ["no-such-command-anywhere"];
    await chat("hello");
    expect(vscode.seen.messages).toEqual([
      'error: ECA: The server could not be started. The program "no-such-command-anywhere" was not found. ' +
        'Check the setting "editwire.command".',
    ]);
    vscode.user.command = [process.execPath, server];
    await chat("contexts");
    expect(vscode.seen.output).toContain("repoMap");
  });

  it("says how the server died, with its last output, and starts it again", async () => {
    await chat("die");
    expect(vscode.seen.messages.at(-1)).toBe(
      "error: ECA: The server stopped because of an error (exit code 3). The next prompt starts it again. " +
        "Its last output:\nout of memory",
    );
    await chat("contexts");
    expect(vscode.seen.output).toContain("repoMap");
  });

  it("says that the server was killed, and ends what it started", async () => {
    const helper = createServer();
    onTestFinished(() => void helper.close());
    await once(helper.listen(0, "127.0.0.1"), "listening");
    const connected = once(helper, "connection");
    const { port } = helper.address() as AddressInfo;
    await chat(`start helper ${port}`);
    const [socket] = (await connected) as [Socket];
    const closed = once(
      socket.resume().on("error", () => {}),
      "close",
    );
    await chat("kill");
    expect(vscode.seen.messages.at(-1)).toMatch(
      /^error: ECA: The server was ended from outside, by the signal SIGKILL\. The next prompt starts it again\./,
    );
    await closed;
  });

  it("lets the user choose the model and the behavior of the next prompts", async () => {
    const chosen = (): string[] => vscode.seen.output.split("\n").filter((line) => line.startsWith("with "));
    await chat("choice");
    vscode.user.picked = "large";
    await vscode.run("editwire.chooseModel");
    vscode.user.picked = "plan";
    await vscode.run("editwire.chooseBehavior");
    await chat("choice");
    vscode.user.picked = undefined;
    await vscode.run("editwire.chooseModel");
    await chat("choice");
    expect(vscode.seen.asked).toEqual([
      { text: "Model", detail: "small|large" },
      { text: "Behavior", detail: "agent|plan" },
      { text: "Model", detail: "small|large" },
    ]);
    expect(chosen()).toEqual(["with small agent", "with large plan", "with large plan"]);
  });

  it("contributes the commands that it registers", () => {
    const { contributes } = JSON.parse(
      readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8"),
    ) as { contributes: { commands: { command: string }[] } };
    expect(contributes.commands.map(({ command }) => command).sort()).toEqual(vscode.commandNames().sort());
  });

  it("does nothing without a prompt", async () => {
    await chat();
    expect(vscode.seen).toMatchObject({ output: "", messages: [] });
  });
});

/** The stub has no events: what is shown is looked at in every macrotask. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
}
