import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Script, startScriptedModel } from "@editwire/conformance/model";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { buildServer, type Content, type ServerProcess, startServer } from "./support/server-process.js";
import { tempFolder } from "./support/temp-folder.js";

/** What a client does: it sends a frame as it stands, or waits for what it waits for. `written` frames are not from a recording. */
type Step = { readonly send: string; readonly written?: boolean } | { readonly wait: "response"; readonly id: number } | { readonly wait: "approval" } | { readonly wait: "finished"; readonly turns: number };

const fixtures = new URL("fixtures/playback/", import.meta.url);
const playbacks = readdirSync(fixtures).map((name) => ({ name, ...(JSON.parse(readFileSync(new URL(name, fixtures), "utf8")) as { client: string; steps: Step[] }) }));

/** Greets, and writes a file after asking. */
const greet: Script = function* ({ prompt }) {
  yield { think: "thinking…", say: "Hello wörld 🎉", calls: [{ name: "write_file", args: { path: "hello.txt", content: `${prompt.split("\n").at(-1)}\n` } }] };
  yield { say: "Done." };
};

let server = { script: "", remove: async () => {} };
beforeAll(async () => {
  server = await buildServer();
});
afterAll(() => server.remove());

/** The two things that a recording cannot know: the folder on this machine, and the id that the server gave the call. Their frames get a new length. */
function inPlace(frame: string, folder: string, toolCallId: string): string {
  const changed = frame
    .replaceAll("file:///home/user/projects/example", pathToFileURL(folder).href)
    .replaceAll("/home/user/projects/example", folder)
    .replace('"toolCallId":"t1"', `"toolCallId":${JSON.stringify(toolCallId)}`);
  if (changed === frame) return frame;
  const body = changed.slice(changed.indexOf("\r\n\r\n") + 4);
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

async function play(steps: readonly Step[], running: ServerProcess, folder: string): Promise<void> {
  let toolCallId = "";
  for (const step of steps) {
    if ("send" in step) running.write(inPlace(step.send, folder, toolCallId));
    else if (step.wait === "response") await running.until(({ id, method }) => id === step.id && method === undefined);
    else if (step.wait === "finished") await running.finished(step.turns);
    else toolCallId = String((await running.approval())["id"]);
  }
}

/** The contents of each turn: up to its one end. */
function turnsOf(contents: readonly Content[]): Content[][] {
  const turns: Content[][] = [[]];
  for (const content of contents) {
    turns.at(-1)?.push(content);
    if (content["state"] === "finished") turns.push([]);
  }
  expect(turns.pop()).toEqual([]);
  return turns;
}

const shape = (turn: readonly Content[]): string[] => {
  const types = turn.filter(({ state }) => state !== "running").map(({ type, role }) => (type === "text" ? `${role} text` : type));
  return types.filter((type, index) => type !== types[index - 1]);
};

it.each(playbacks)("frames of $client have their lengths", ({ steps }) => {
  for (const step of steps) {
    if (!("send" in step)) continue;
    const [, length, body = ""] = /^Content-Length: (\d+)\r\n\r\n([^]*)$/.exec(step.send) ?? [];
    expect(Buffer.byteLength(body)).toBe(Number(length));
  }
});

describe.each(playbacks)("$client", ({ steps }) => {
  it("is initialized, prompts, approves a tool call, stops a turn, and shuts the server down", async () => {
    const folder = await tempFolder({ "a.ts": "export {};\n" });
    const model = await startScriptedModel({ script: greet });
    onTestFinished(() => model.close());
    const running = startServer(server.script, ["--base-url", model.urls.openai, "--model", "fake/model-1", "--no-watch-parent"]);
    onTestFinished(() => void running.child.kill("SIGKILL"));
    await play(steps, running, folder);

    const sent = steps.flatMap((step) => ("send" in step ? [JSON.parse(step.send.slice(step.send.indexOf("\r\n\r\n"))) as { id?: number; method?: string }] : []));
    const shutdown = sent.find(({ method }) => method === "shutdown");
    expect((await running.until(({ id, method }) => id === shutdown?.id && method === undefined)).result).toBeNull();
    if (!sent.some(({ method }) => method === "exit")) running.end(); // Emacs and Desktop kill the process, or close its input
    expect(await running.exited).toBe(0);

    const [first] = running.received;
    expect(first).toMatchObject({ id: sent[0]?.id, result: { models: ["fake/model-1"], chatDefaultModel: "fake/model-1", chatDefaultBehavior: "agent" } });
    const turns = turnsOf(running.contents());
    expect(turns.map(shape)).toEqual([
      ["user text", "reasonStarted", "reasonText", "reasonFinished", "assistant text", "usage", "toolCallPrepare", "toolCallRun", "toolCalled", "assistant text", "usage", "progress"],
      ["user text", "reasonStarted", "reasonText", "reasonFinished", "assistant text", "usage", "toolCallPrepare", "toolCallRun", "toolCallRejected", "system text", "progress"],
    ]);
    expect(turns[0]?.find(({ type }) => type === "toolCallRun")).toMatchObject({ server: "eca", details: { type: "fileChange", path: join(folder, "hello.txt"), linesAdded: 1, linesRemoved: 0 } });
    expect(await readFile(join(folder, "hello.txt"), "utf8")).toMatch(/^Say héllo 🎉/);
    const unknown = sent.find(({ method }) => method === "foo/bar");
    if (unknown?.id !== undefined) expect(running.received.find(({ id, error }) => id === unknown.id && error !== undefined)).toMatchObject({ error: { code: -32_601 } });
    for (const { error } of running.received) if (error !== undefined) expect(error.code).toBe(-32_601);
  });
});
