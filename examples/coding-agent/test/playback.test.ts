import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Content, type ServerProcess, startServer } from "./support/server-process.js";
import { recordedModel } from "./support/recorded-model.js";
import { folderAsLongAs } from "./support/temp-folder.js";

/** A client's step: it sends a frame unchanged, or waits for messages. A `written` frame is not in the recording. */
type Step =
  | { readonly send: string; readonly written?: boolean }
  | { readonly wait: "response"; readonly id: number }
  | { readonly wait: "approval" }
  | { readonly wait: "finished"; readonly turns: number };

interface Playback {
  readonly name: string;
  readonly client: string;
  /** The transcript that the frames are from. */
  readonly recording?: string;
  readonly provenance: string;
  readonly steps: Step[];
}

const fixtures = new URL("fixtures/playback/", import.meta.url);
const transcripts = new URL("../../../packages/eca/test/fixtures/transcripts/", import.meta.url);
const playbacks = readdirSync(fixtures).map(
  (name): Playback => ({
    name,
    ...(JSON.parse(readFileSync(new URL(name, fixtures), "utf8")) as Omit<Playback, "name">),
  }),
);

/**
 * The one thing that a recording cannot know: the folder on this machine. Its path is as long as the recorded one, in
 * bytes.
 */
const recordedFolder = "/home/user/projects/example";

/** Plays a client. Gives the bytes that it sent. */
async function play(steps: readonly Step[], running: ServerProcess, folder: string): Promise<string> {
  let sent = "";
  for (const step of steps) {
    if ("send" in step) {
      const frame = step.send.replaceAll(recordedFolder, folder);
      running.write(frame);
      sent += frame;
    } else if (step.wait === "response")
      await running.until(({ id, method }) => id === step.id && method === undefined);
    else if (step.wait === "finished") await running.finished(step.turns);
    else await running.approval();
  }
  return sent;
}

const framesOf = (steps: readonly Step[]): string[] => steps.flatMap((step) => ("send" in step ? [step.send] : []));

/** A turn that thinks, answers and calls a tool, up to the tool's end. */
const untilCall = [
  ...["user text", "reasonStarted", "reasonText", "reasonFinished", "assistant text", "usage"],
  ...["toolCallPrepare", "toolCallRun"],
];

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
  const types = turn
    .filter(({ state }) => state !== "running")
    .map(({ type, role }) => (type === "text" ? `${role} text` : type));
  return types.filter((type, index) => type !== types[index - 1]);
};

it.each(playbacks)("$client: each frame has its length", ({ steps }) => {
  for (const frame of framesOf(steps)) {
    const [, length, body = ""] = /^Content-Length: (\d+)\r\n\r\n([^]*)$/.exec(frame) ?? [];
    expect(Buffer.byteLength(body)).toBe(Number(length));
  }
});

it.each(playbacks.filter(({ recording }) => recording !== undefined))(
  "$client: all frames but the written are the recording's, each once and in its order",
  ({ recording, steps }) => {
    const lines = readFileSync(new URL(`${recording}.txt`, transcripts), "utf8").split("\n");
    const recorded = lines.flatMap((line, index) =>
      line.startsWith("--- C->S ") ? [JSON.parse(lines[index + 1] ?? "") as string] : [],
    );
    expect(framesOf(steps.filter((step) => "send" in step && step.written !== true))).toEqual(recorded);
  },
);

describe.each(playbacks)("$client", ({ steps }) => {
  it("is initialized, prompts, approves a tool call, stops a turn, and shuts the server down", async () => {
    const folder = await folderAsLongAs(recordedFolder);
    const running = startServer("--base-url", await recordedModel(), "--model", "fake/model-1", "--no-watch-parent");
    onTestFinished(() => void running.child.kill("SIGKILL"));
    const bytes = Buffer.from(await play(steps, running, folder));

    // Byte for byte: where they differ from the fixture there is the folder, and every byte after it is where it was.
    const fixture = Buffer.from(framesOf(steps).join(""));
    expect(bytes.length).toBe(fixture.length);
    expect(bytes.toString().replaceAll(folder, recordedFolder)).toBe(fixture.toString());

    const sent = framesOf(steps).map(
      (frame) => JSON.parse(frame.slice(frame.indexOf("\r\n\r\n"))) as { id?: number; method?: string },
    );
    const shutdown = sent.find(({ method }) => method === "shutdown");
    expect((await running.until(({ id, method }) => id === shutdown?.id && method === undefined)).result).toBeNull();
    // Emacs and Desktop kill the process, or close its input.
    if (!sent.some(({ method }) => method === "exit")) running.end();
    expect(await running.exited).toBe(0);

    const [first] = running.received;
    expect(first).toMatchObject({
      id: sent[0]?.id,
      result: { models: ["fake/model-1"], chatDefaultModel: "fake/model-1", chatDefaultBehavior: "full" },
    });
    const turns = turnsOf(running.contents());
    expect(turns.map(shape)).toEqual([
      [...untilCall, "toolCalled", "assistant text", "usage", "progress"],
      [...untilCall, "toolCallRejected", "system text", "progress"],
    ]);
    expect(turns[0]?.find(({ type }) => type === "toolCallRun")).toMatchObject({
      id: "t1",
      server: "eca",
      details: { type: "fileChange", path: join(folder, "hello.txt"), linesAdded: 1, linesRemoved: 0 },
    });
    expect(await readFile(join(folder, "hello.txt"), "utf8")).toMatch(/^Say héllo 🎉/);
    const unknown = sent.find(({ method }) => method === "foo/bar");
    if (unknown?.id !== undefined)
      expect(running.received.find(({ id, error }) => id === unknown.id && error !== undefined)).toMatchObject({
        error: { code: -32_601 },
      });
    for (const { error } of running.received) if (error !== undefined) expect(error.code).toBe(-32_601);
  });
});
