import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { dialAcp } from "../src/index.js";
import { textOf } from "./turns.js";

/** The command of Qwen Code; undefined, with one line on stderr, when it is not installed. */
function findQwen(): string | undefined {
  const command = process.env["QWEN_PATH"] ?? "qwen";
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" });
    return command;
  } catch {
    process.stderr.write("skipping the test of qwen serve: no qwen; npm install -g @qwen-code/qwen-code\n");
    return undefined;
  }
}

/** A model on this machine that answers every question alike. */
async function serveModel(): Promise<string> {
  const model = createServer((request, response) => {
    request.resume().on("end", () => {
      const chunk = (delta: object, finish_reason: string | null): string => {
        const choices = [{ index: 0, delta, finish_reason }];
        const fields = { id: "c", object: "chat.completion.chunk", created: 0, model: "m", choices };
        return `data: ${JSON.stringify(fields)}\n\n`;
      };
      response.setHeader("content-type", "text/event-stream");
      response.end(
        `${chunk({ role: "assistant", content: "Hello from the model" }, null)}${chunk({}, "stop")}data: [DONE]\n\n`,
      );
    });
  });
  await once(model.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void model.close().closeAllConnections());
  return `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
}

/** Starts `qwen serve` for a folder, with a home of its own. */
async function serveQwen(command: string, cwd: string, home: string): Promise<string> {
  mkdirSync(join(home, ".qwen"));
  const settings = {
    general: { disableAutoUpdate: true },
    privacy: { usageStatisticsEnabled: false },
    security: { auth: { selectedType: "openai" } },
  };
  writeFileSync(join(home, ".qwen/settings.json"), JSON.stringify(settings));
  const server = spawn(command, ["serve", "--port", "0", "--workspace", cwd, "--no-web"], {
    cwd,
    env: { ...process.env, HOME: home, OPENAI_API_KEY: "k", OPENAI_BASE_URL: await serveModel(), OPENAI_MODEL: "m" },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(async () => {
    if (server.pid === undefined) return;
    const closed = once(server, "close"); // then none of its processes writes into its home
    process.kill(-server.pid, "SIGKILL");
    await closed;
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  await expect.poll(() => output).toMatch(/http:\/\/(127\.0\.0\.1|localhost):\d+/);
  return /http:\/\/(?:127\.0\.0\.1|localhost):\d+/.exec(output)?.[0] ?? "";
}

const qwen = findQwen();

it.skipIf(qwen === undefined)(
  "our client has a turn with qwen serve over Streamable HTTP",
  async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), "editwire-qwen-")));
    // Its agent has a process group of its own, and writes until it has seen the end of its server.
    onTestFinished(() => rm(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const [cwd, home] = [join(base, "project"), join(base, "home")];
    for (const folder of [cwd, home]) mkdirSync(folder);
    const agent = await dialAcp(await serveQwen(qwen ?? "", cwd, home));
    onTestFinished(() => agent.close());
    const session = await agent.newSession({ cwd });
    expect(await textOf(session.prompt("Hello"))).toBe("Hello from the model|end_turn");
  },
  120_000,
);
