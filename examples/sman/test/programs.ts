import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { readLines } from "../../../scripts/testing/lines.js";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";

/** Among the modules of ide-tools, where the bundle finds its grammars and ripgrep. */
const home = new URL("../../../packages/ide-tools/sman-example", import.meta.url).href;

/** The command line of the example, as one file. */
const { main } = await bundle(
  home,
  {
    main: "../../examples/sman/src/main.ts",
    "call-chain/index-worker": "src/call-chain/index-worker.ts",
    ...toolWorker,
  },
  { external: ["web-tree-sitter"] },
);

/** The token that callers must send to the backends of the tests. */
export const token = "s3cret";

/** A backend or an IDE host under test. */
export interface Program {
  /** Everything that it has printed. */
  readonly lines: readonly string[];
  readonly child: ChildProcess;
  /** Resolves with the first line, from the given one on, that contains the text. */
  prints(text: string, from?: number): Promise<string>;
  /** Kills it as kill -9 does. */
  kill(): Promise<void>;
}

/** Starts a program, which ends with the test. */
function start(...args: string[]): Program {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, SMAN_TOKEN: token, OPENAI_API_KEY: "", OPENAI_BASE_URL: "" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const output = new EventEmitter();
  void (async () => {
    for await (const line of readLines(child.stdout)) {
      lines.push(line);
      output.emit("line");
    }
    output.emit("close");
  })();
  return {
    lines,
    child,
    async prints(text, from = 0) {
      for (;;) {
        const found = lines.slice(from).find((line) => line.includes(text));
        if (found !== undefined) return found;
        const isOver = await Promise.race([once(output, "line"), once(output, "close").then(() => true)]);
        if (isOver === true) throw new Error(`it ended without ${text}:\n${lines.join("\n")}`);
      }
    },
    async kill() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** A backend as a process. */
export async function startBackend(): Promise<{ backend: Program; url: string }> {
  const backend = start("backend");
  const [url = ""] = /http:\/\/[\d.:]+/.exec(await backend.prints("serves")) ?? [];
  return { backend, url };
}

/** An IDE host as a process, on a copy of a project of the example. */
export function startIde(url: string, projectKey: string, folder: string, ...more: string[]): Program {
  return start("ide", "--url", url, "--project", projectKey, "--folder", folder, ...more);
}

/** A copy of a project, which goes away with the test. */
export async function copyOf(projectKey: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "sman-example-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  await cp(fileURLToPath(new URL(`../projects/${projectKey}`, import.meta.url)), join(parent, projectKey), {
    recursive: true,
  });
  return join(parent, projectKey);
}

/** Gives a task to a backend. */
export function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/tasks`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
}
