import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRemoteError } from "@editwire/core";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { AcpAgentTurn, AcpClientOptions } from "../src/index.js";
import { nodeFileSystem, nodeTerminals } from "../src/node.js";
import { TerminalOutput } from "../src/node/terminals.js";
import { acpPair } from "../src/testing.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

let base = "";
let root = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "acp-services-")));
  root = join(base, "project");
  mkdirSync(root);
  cleanups.push(() => rmSync(base, { recursive: true, force: true }));
});

/** Runs a turn of our agent, whose client has these services, in a session at `root`. */
async function turnOf(options: AcpClientOptions, work: (turn: AcpAgentTurn) => Promise<void>): Promise<void> {
  let failure: unknown;
  const { client } = await acpPair(
    {
      async prompt(turn) {
        await work(turn).catch((error: unknown) => (failure = error));
      },
    },
    { client: options },
  );
  cleanups.push(() => client.close());
  await (await client.newSession({ cwd: root })).prompt("go").stopReason;
  if (failure !== undefined) throw failure;
}

const codeOf = (error: unknown): number | undefined => (isRemoteError(error) ? error.code : undefined);
const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

describe("V41: the files of this machine", () => {
  it("are read by lines, verbatim, and with what is not saved", async () => {
    writeFileSync(join(root, "a.txt"), "one\r\ntwo\nthree");
    writeFileSync(join(root, "open.txt"), "saved");
    const unsaved = (path: string): string | undefined => (path.endsWith("open.txt") ? "not saved" : undefined);
    await turnOf({ fs: nodeFileSystem({ unsaved }) }, async ({ client }) => {
      const read = (options?: object): Promise<string> => client.readTextFile(join(root, "a.txt"), options);
      expect(await read()).toBe("one\r\ntwo\nthree");
      expect(await read({ line: 2 })).toBe("two\nthree");
      expect(await read({ line: 1, limit: 2 })).toBe("one\r\ntwo\n");
      expect(await read({ line: 9 })).toBe("");
      expect(await read({ limit: 0 })).toBe("");
      expect(await client.readTextFile(join(root, "open.txt"))).toBe("not saved");
    });
  });

  it("are read by lines, also when the whole file is too large", async () => {
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i} é\n`);
    writeFileSync(join(root, "log"), lines.join(""));
    appendFileSync(join(root, "log"), Buffer.from([0xff]));
    await turnOf({ fs: nodeFileSystem({ maxBytes: 1_000 }) }, async ({ client }) => {
      const read = (options: object): Promise<string> => client.readTextFile(join(root, "log"), options);
      for (const line of [1, 9_000, 30_000]) expect(await read({ line, limit: 1 })).toBe(`${line - 1} é\n`);
      expect(await read({ line: 29_999, limit: 2 })).toBe("29998 é\n29999 é\n");
      const tooLarge = await read({ line: 2, limit: 20_000 }).catch((error: unknown) => error);
      expect(tooLarge).toMatchObject({ code: -32602, message: "the text is too large" });
    });
    const params = { sessionId: "s", path: join(root, "log"), line: 0, limit: 1 }; // agents that count from 0
    const context = { roots: [root], signal: new AbortController().signal };
    expect(await nodeFileSystem().readTextFile?.(params, context)).toEqual({ content: "0 é\n" });
  });

  it("are read and written in the order of the requests", async () => {
    const slowly: (() => void)[] = [];
    const unsaved = (): Promise<undefined> => new Promise((resolve) => slowly.push(() => resolve(undefined)));
    writeFileSync(join(root, "a.txt"), "0");
    await turnOf({ fs: nodeFileSystem({ unsaved }) }, async ({ client }) => {
      const path = join(root, "a.txt");
      const first = client.readTextFile(path);
      const writes = Array.from({ length: 30 }, (_, i) => client.writeTextFile(path, String(i + 1)));
      await expect.poll(() => slowly.length).toBe(1);
      slowly[0]?.();
      expect(await first).toBe("0");
      await Promise.all(writes);
      expect(readFileSync(path, "utf8")).toBe("30");
    });
  });

  it("are written whole, created with their folders, and given to an open buffer first", async () => {
    const taken: string[] = [];
    const replace = (path: string, content: string): boolean => path.endsWith("open.txt") && taken.push(content) > 0;
    writeFileSync(join(root, "run.sh"), "old");
    chmodSync(join(root, "run.sh"), 0o777); // more than the umask gives to a new file
    if (process.getuid?.() === 0) chownSync(join(root, "run.sh"), 1234, 1234);
    await turnOf({ fs: nodeFileSystem({ replace }) }, async ({ client }) => {
      await client.writeTextFile(join(root, "new/deep/b.txt"), "é");
      await client.writeTextFile(join(root, "run.sh"), "new");
      await client.writeTextFile(join(root, "open.txt"), "buffer");
      await client.writeTextFile(join(root, "n".repeat(255)), "a name as long as the system allows");
    });
    expect(readFileSync(join(root, "new/deep/b.txt"), "utf8")).toBe("é");
    expect(readFileSync(join(root, "run.sh"), "utf8")).toBe("new");
    const { mode, uid } = lstatSync(join(root, "run.sh"));
    if (process.platform !== "win32") expect(mode & 0o777).toBe(0o777);
    if (process.getuid?.() === 0) expect(uid).toBe(1234);
    expect([taken, existsSync(join(root, "open.txt"))]).toEqual([["buffer"], false]);
    expect(readdirSync(root).sort()).toEqual(["new", "n".repeat(255), "run.sh"].sort());
  });

  it("end at the folders of the session, whatever leads out of them", async () => {
    writeFileSync(join(base, "secret"), "s");
    symlinkSync(base, join(root, "out"));
    symlinkSync(join(base, "secret"), join(root, "link"));
    symlinkSync(join(base, "made"), join(root, "dangling"));
    await turnOf({ fs: nodeFileSystem() }, async ({ client }) => {
      const paths = [
        join(base, "secret"),
        join(root, "out/secret"),
        join(root, "link"),
        `${root}/../secret`,
        `${root}x/a`,
      ];
      for (const path of paths) {
        expect(codeOf(await client.readTextFile(path).catch((error: unknown) => error)), path).toBe(-32602);
        expect(codeOf(await client.writeTextFile(path, "x").catch((error: unknown) => error)), path).toBe(-32602);
      }
      await client.writeTextFile(join(root, "dangling"), "inside");
    });
    expect(readFileSync(join(base, "secret"), "utf8")).toBe("s");
    expect(readdirSync(base).sort()).toEqual(["project", "secret"]);
    expect(lstatSync(join(root, "dangling")).isSymbolicLink()).toBe(false);
  });

  it("fail with codes, and without texts of the system", async () => {
    writeFileSync(join(root, "bytes"), Buffer.from([0xff, 0xfe]));
    writeFileSync(join(root, "long"), "12345");
    writeFileSync(join(root, "locked"), "kept", { mode: 0o444 });
    await turnOf({ fs: nodeFileSystem({ maxBytes: 4 }) }, async ({ client }) => {
      const read = (name: string): Promise<unknown> =>
        client
          .readTextFile(join(root, name))
          .catch((error: unknown) => (isRemoteError(error) ? [error.code, error.message] : error));
      expect(await read("none")).toEqual([-32002, "the file does not exist"]);
      expect(await read("")).toEqual([-32602, "the path is not a file"]);
      expect(await read("bytes")).toEqual([-32602, "the file is not UTF-8 text"]);
      expect(await read("long")).toEqual([-32602, "the text is too large"]);
      const written = await client.writeTextFile(join(root, "locked"), "new").catch((error: unknown) => error);
      expect(written).toMatchObject({ code: -32602, message: "the file is read-only" });
      expect(readFileSync(join(root, "locked"), "utf8")).toBe("kept");
    });
  });
});

describe("V41: the terminals of this machine", () => {
  it("keep the output that onOutput fails to show", async () => {
    const written = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => written.mockRestore());
    const onOutput = (): void => {
      throw new Error("the view is closed");
    };
    await turnOf({ terminals: nodeTerminals({ onOutput }) }, async ({ client }) => {
      const terminal = await client.createTerminal(node("console.log('hi')"));
      await terminal.waitForExit();
      expect(await terminal.output()).toMatchObject({ output: "hi\n" });
    });
    expect(written.mock.calls.flat().map(String)).toContain("Error: the view is closed");
  });

  it("run a command in the session's folder, and tell how it ended", async () => {
    const seen: string[] = [];
    const terminals = nodeTerminals({ onOutput: ({ text }) => void seen.push(text) });
    await turnOf({ terminals }, async ({ client }) => {
      const script = "console.log(process.cwd(), process.env.WHO); console.error('é'); process.exitCode = 3";
      const terminal = await client.createTerminal({ ...node(script), env: { WHO: "Ada" } });
      expect(await terminal.waitForExit()).toEqual({ exitCode: 3 });
      const { output, truncated, exitStatus } = await terminal.output();
      expect(output.split("\n").sort()).toEqual(["", `${root} Ada`, "é"]);
      expect([truncated, exitStatus]).toEqual([false, { exitCode: 3 }]);
      expect(seen.join("")).toBe(output);
      await terminal.release();
      expect(codeOf(await terminal.output().catch((error: unknown) => error))).toBe(-32002);
      for (const command of [join(root, "none"), "", "a\0b"]) {
        const failed = await client.createTerminal({ command }).catch((error: unknown) => error);
        expect([command, codeOf(failed)]).toEqual([command, -32602]);
      }
      const cwd = join(root, "none");
      const failed = await client.createTerminal({ ...node(""), cwd }).catch((error: unknown) => error);
      expect(failed).toMatchObject({ code: -32602, data: { command: process.execPath, cwd, code: "ENOENT" } });
    });
  });

  it("run nothing for a session that the client does not have", async () => {
    const terminals = nodeTerminals();
    const params = { sessionId: "of another client", command: process.execPath, args: ["-e", ""] };
    const created = terminals.create(params, { roots: [], signal: new AbortController().signal });
    expect(await created.catch((error: unknown) => error)).toMatchObject({ code: -32002 });
  });

  it("answer a wait that a release follows at once", async () => {
    await turnOf({ terminals: nodeTerminals() }, async ({ client }) => {
      const terminal = await client.createTerminal(node("setInterval(() => {}, 1e6)"));
      const exited = terminal.waitForExit();
      await terminal.release();
      expect(await exited).toEqual({ signal: "SIGTERM" });
    });
  });

  it("cause no warning about listeners when a turn asks for many, and for as many permissions", async () => {
    const warnings: unknown[] = [];
    const warned = (warning: Error): void => void warnings.push(warning.message);
    process.on("warning", warned);
    await turnOf({ terminals: nodeTerminals(), permission: async () => "allow_once" }, async (turn) => {
      const run = async (): Promise<void> => {
        await turn.requestPermission(await turn.toolCall({ title: "Run it" }));
        await (await turn.client.createTerminal(node(""))).waitForExit();
      };
      await Promise.all(Array.from({ length: 12 }, run));
    });
    process.off("warning", warned);
    expect(warnings).toEqual([]);
  });

  it.skipIf(process.platform === "win32")("end what a command started, with the turn at the latest", async () => {
    let pid = 0;
    let exited: unknown;
    const child = "setInterval(() => {}, 1e6)";
    const spawned = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}])`;
    const script = `console.log(${spawned}.pid); ${child}`;
    let started = (): void => {};
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const terminals = nodeTerminals({ onOutput: ({ text }) => ((pid = Number(text)), started()) });
    await turnOf({ terminals }, async ({ client }) => {
      const terminal = await client.createTerminal(node(script));
      await isStarted;
      exited = terminal.waitForExit();
    });
    expect(await exited).toEqual({ signal: "SIGTERM" });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "end what a command started and what ignores SIGTERM, with a kill",
    async () => {
      const child = "process.on('SIGTERM', () => {}); console.log(process.pid); setInterval(() => {}, 1e6)";
      const options = '{ stdio: "inherit" }';
      const spawned = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], ${options})`;
      let started = (_pid: number): void => {};
      const pid = new Promise<number>((resolve) => (started = resolve));
      const terminals = nodeTerminals({ onOutput: ({ text }) => started(Number(text)) });
      await turnOf({ terminals }, async ({ client }) => {
        const terminal = await client.createTerminal(node(`${spawned}; setInterval(() => {}, 1e6)`));
        const stubborn = await pid;
        await terminal.kill();
        expect(await terminal.waitForExit()).toEqual({ signal: "SIGTERM" });
        await expect.poll(() => isAlive(stubborn), { timeout: 5_000 }).toBe(false);
      });
    },
  );

  it("keep the end of the output, from a whole character on", () => {
    const output = new TerminalOutput(5);
    output.add("aé");
    expect(output.value).toEqual({ output: "aé", truncated: false });
    output.add("€b");
    expect(output.value).toEqual({ output: "€b", truncated: true });
    output.add("xyz€");
    expect(output.value).toEqual({ output: "yz€", truncated: true });
    const nothing = new TerminalOutput(0);
    nothing.add("€");
    expect(nothing.value).toEqual({ output: "", truncated: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/^\d+ \(.*\) Z/.test(statOf(pid));
  } catch {
    return false;
  }
}

/** A process that has ended and whose parent is gone may stay as a zombie where nobody collects it. */
function statOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
