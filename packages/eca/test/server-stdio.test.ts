import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, type TestContext } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import type { Message } from "../../peer/test/raw-peer.js";
import { initializeParams } from "./server-peer.js";

const { server } = await bundle(import.meta.url, { server: "fixtures/server.ts" });

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that it wrote to stdout so far. */
  output(): Buffer;
  log(): string;
  /** Writes chunks, each by itself. */
  write(...chunks: readonly (string | Uint8Array)[]): Promise<void>;
  until(matches: (message: Message) => boolean): Promise<Message>;
  readonly exited: Promise<number | null>;
}

function start({ onTestFinished }: TestContext, ...flags: readonly string[]): Running {
  const child = spawn(process.execPath, [server, ...flags], { stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const chunks: Buffer[] = [];
  let log = "";
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  child.stdin.on("error", () => {}); // the server may be gone by then
  const exited = once(child, "close").then(([code]) => code as number | null);
  const output = (): Buffer => Buffer.concat(chunks);
  return {
    child,
    output,
    log: () => log,
    exited,
    async write(...parts) {
      for (const part of parts) {
        if (!child.stdin.write(part)) await once(child.stdin, "drain");
        await new Promise(setImmediate);
      }
    },
    async until(matches) {
      for (;;) {
        const found = messagesIn(output()).find(matches);
        if (found !== undefined) return found;
        await Promise.race([
          once(child.stdout, "data"),
          exited.then(() => Promise.reject(new Error(`exited: ${log}`))),
        ]);
      }
    },
  };
}

/** Reads frames by the letter: one header, its length in bytes, an empty line. Throws for anything else. */
function messagesIn(output: Buffer): Message[] {
  const messages: Message[] = [];
  for (let rest = output; rest.length > 0; ) {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) break;
    const [, length = ""] = /^Content-Length: (\d+)$/.exec(rest.subarray(0, end).toString("latin1")) ?? [];
    if (length === "") throw new Error(`no frame: ${rest.subarray(0, 80).toString()}`);
    const body = rest.subarray(end + 4, end + 4 + Number(length));
    if (body.length < Number(length)) break;
    messages.push(JSON.parse(body.toString()) as Message);
    rest = rest.subarray(end + 4 + Number(length));
  }
  return messages;
}

function frame(message: unknown, header = (length: number) => `Content-Length: ${length}\r\n\r\n`, tail = ""): Buffer {
  const body = Buffer.from(
    (typeof message === "string" ? message : JSON.stringify({ jsonrpc: "2.0", ...(message as object) })) + tail,
  );
  return Buffer.concat([Buffer.from(header(body.length), "latin1"), body]);
}

const initialize = frame({ id: 0, method: "initialize", params: initializeParams });
const initialized = frame({ method: "initialized", params: {} });
const prompt = (id: number | string, message: string): Buffer =>
  frame({ id, method: "chat/prompt", params: { chatId: `chat ${id}`, message } });
const isEnd = ({ params }: Message): boolean =>
  (params?.["content"] as { state?: string } | undefined)?.state === "finished";

async function started(context: TestContext, ...flags: readonly string[]): Promise<Running> {
  const server = start(context, ...flags);
  await server.write(initialize, initialized);
  await server.until(({ params }) => params?.["type"] === "finish");
  return server;
}

describe.concurrent("a server on stdio", () => {
  it("S1, S2, S8: writes only frames of the right length in bytes, and repeats ids unchanged", async (context) => {
    const server = await started(context);
    await server.write(prompt(9_007_199_254_740_991, "é"), prompt("bridge-shutdown", "世"));
    await server.until(({ id }) => id === "bridge-shutdown");
    await server.until(({ id }) => id === 9_007_199_254_740_991);
    await server.write(frame({ id: 2, method: "shutdown" }), frame({ method: "exit" }));
    expect(await server.exited).toBe(0);
    const messages = messagesIn(server.output());
    expect(messages[0]).toMatchObject({ id: 0, result: { chatWelcomeMessage: "Grüß Gott 🎉" } });
    expect(server.output().length).toBe(
      messages.reduce((sum, message) => sum + frame(JSON.stringify(message)).length, 0),
    );
    expect(server.log()).toContain("to the log, not to the wire");
    expect(messages.filter(({ method }) => method === undefined).map(({ id }) => typeof id)).toEqual([
      "number",
      "number",
      "string",
      "number",
    ]);
  });

  it("S3: reads a message one byte at a time, and many in one chunk", async (context) => {
    const server = start(context);
    await server.write(...[...initialize].map((byte) => Uint8Array.of(byte)));
    await server.until(({ id }) => id === 0);
    const ten = Array.from({ length: 10 }, (_, index) =>
      frame({ id: index + 1, method: "chat/queryCommands", params: { query: "" } }),
    );
    await server.write(Buffer.concat([initialized, ...ten]));
    await server.until(({ id }) => id === 10);
    expect(
      messagesIn(server.output()).filter(
        ({ result }) => (result as { commands?: unknown } | undefined)?.commands !== undefined,
      ).length,
    ).toBe(10);
  });

  it("S4, S7: reads headers in any form that is allowed, and white space around the body", async (context) => {
    const headers = [
      (n: number) => `Content-Length: ${n}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n`,
      (n: number) => `Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: ${n}\r\n\r\n`,
      (n: number) => `CONTENT-TYPE: application/json;CHARSET="UTF-8"\r\ncontent-length: ${n}\r\n\r\n`,
      (n: number) => `Content-Length:${n}\r\n\r\n`,
    ];
    const server = await started(context);
    const query = (id: number) => `\n {"jsonrpc":"2.0","id":${id},"method":"chat/queryCommands","params":{"query":""}}`;
    await server.write(...headers.map((header, index) => frame(query(index + 1), header, "\r\n\n")));
    await server.until(({ id }) => id === headers.length);
    expect(
      messagesIn(server.output()).filter(
        ({ result }) => (result as { commands?: unknown } | undefined)?.commands !== undefined,
      ).length,
    ).toBe(headers.length);
  });

  it("S5, S6, S9, A26: answers another charset and invalid JSON without an id, and reads on", async (context) => {
    const server = await started(context);
    const before = messagesIn(server.output()).length;
    await server.write(
      frame(
        Buffer.from('{"jsonrpc":"2.0","id":1,"method":"shutdown"}').toString(),
        (n) => `Content-Length: ${n}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-16\r\n\r\n`,
      ),
      frame("{ no json"),
      frame({ id: 3, method: "chat/queryCommands", params: { query: "" } }),
    );
    await server.until(({ id }) => id === 3);
    const answers = messagesIn(server.output()).slice(before);
    expect(answers).toMatchObject([
      { id: null, error: { code: -32_700, message: expect.stringMatching(/expected charset utf-8, received utf-16/) } },
      { id: null, error: { code: -32_700, message: "Parse error" } },
      { id: 3, result: { commands: [] } },
    ]);
    for (const answer of answers) expect("result" in answer).toBe(!("error" in answer));
    while (!server.log().includes("is not readable as JSON")) await once(server.child.stderr, "data");
    expect(server.log()).toMatch(
      /^connection \(onError is not set\): WireError: the message is not readable as JSON: /m,
    );
  });

  it("S19, S20: ends with code 1 when stdin ends, also in the middle of a turn", async (context) => {
    const server = await started(context);
    await server.write(prompt(1, "wait"));
    await server.until(({ id }) => id === 1);
    server.child.stdin.end();
    expect(await server.exited).toBe(1);
  });

  it("S19, S20: ends in time when the server does not let go", async (context) => {
    const server = await started(context, "--hang");
    await server.write(frame({ method: "exit" }));
    expect(await server.exited).toBe(1);
  });

  it("S40: is shut down in the middle of a turn", async (context) => {
    const server = await started(context);
    await server.write(prompt(1, "wait"), frame({ id: 2, method: "shutdown", params: null }));
    expect(await server.until(({ id }) => id === 2)).toMatchObject({ result: null });
    expect(messagesIn(server.output()).filter(isEnd).length).toBe(1);
    await server.write(frame({ method: "exit", params: null }));
    expect(await server.exited).toBe(0);
  });
});

describe.concurrent("S21: the client's process", () => {
  const initializeFor = (processId: unknown): Buffer =>
    frame({ id: 0, method: "initialize", params: { ...initializeParams, processId } });
  const dummy = async ({ onTestFinished }: TestContext): Promise<ChildProcessWithoutNullStreams> => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "pipe" });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child, "spawn");
    return child;
  };

  it("takes the server with it", async (context) => {
    const parent = await dummy(context);
    const server = start(context);
    await server.write(initializeFor(parent.pid));
    await server.until(({ id }) => id === 0);
    parent.kill("SIGKILL");
    expect(await server.exited).toBe(1);
    expect(server.log()).toContain(`parent-process: The client's process ${parent.pid} is gone`);
  });

  it("does not take it when watchParent is false", async (context) => {
    const parent = await dummy(context);
    const server = start(context, "--no-watch");
    await server.write(initializeFor(parent.pid));
    await server.until(({ id }) => id === 0);
    parent.kill("SIGKILL");
    await once(parent, "close");
    await server.write(initialized, prompt(1, "still here"));
    await server.until(isEnd);
  });

  it("does not take it when it was not to be seen from the start", async (context) => {
    const parent = await dummy(context);
    parent.kill("SIGKILL");
    await once(parent, "close");
    const server = start(context);
    await server.write(initializeFor(parent.pid));
    await server.until(({ id }) => id === 0);
    await server.write(initialized, prompt(1, "still here"));
    await server.until(isEnd);
    expect(server.log()).toContain("cannot be seen from here");
  });

  it("is not looked for when there is none", async (context) => {
    const server = start(context);
    await server.write(initializeFor(null));
    await server.until(({ id }) => id === 0);
    await server.write(initialized, prompt(1, "go"));
    await server.until(isEnd);
  });
});
