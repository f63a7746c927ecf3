import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { bundle, searchWorker } from "../../../../scripts/testing/bundle.js";

const { program } = await bundle(import.meta.url, { program: "../../src/main.ts", ...searchWorker });

/** The command that starts the server on stdin and stdout. */
export const serverCommand = [process.execPath, program] as const;

const { OPENAI_BASE_URL: _url, OPENAI_API_KEY: _key, CODING_AGENT_MODEL: _model, ...inherited } = process.env;

/** The environment of the server: the scripted model, and a folder for its temporary files. */
export function serverEnv(temporary: string): Record<string, string> {
  return { ...(inherited as Record<string, string>), TMPDIR: temporary };
}

/** A server on a Unix socket, for all tests of a file. */
export interface SocketServer {
  readonly socket: string;
  /** Where it keeps its temporary files. */
  readonly temporary: string;
}

/** Starts a server on a Unix socket. It ends with the file's tests. */
export async function startSocketServer(): Promise<SocketServer> {
  const temporary = mkdtempSync(join(tmpdir(), "kaiak-socket-"));
  const socket = join(temporary, "server.sock");
  const child = spawn(process.execPath, [program, "--socket", socket], {
    stdio: ["ignore", "ignore", "pipe"],
    env: serverEnv(temporary),
  });
  const exited = once(child, "exit").then(([code]) => code as number | null);
  afterAll(async () => {
    child.kill("SIGTERM");
    await exited;
    rmSync(temporary, { recursive: true, force: true });
  });
  let log = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      log += chunk.toString();
      if (log.includes("serving Kaiak")) resolve();
    });
    void exited.then((code) => reject(new Error(`the server exited with ${code}: ${log}`)));
  });
  return { socket, temporary };
}

/** A folder for a server's temporary files, which goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "kaiak-stdio-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
