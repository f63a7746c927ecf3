import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { ndjson } from "@editwire/framing";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import { signalTree, spawnTransport } from "../src/node.js";
import { NearEnd } from "./near-end.js";

const { farProcess } = await bundle(import.meta.url, { farProcess: "fixtures/far-process.ts" });

function start(): { child: ChildProcessWithoutNullStreams; output(): { stdout: string; stderr: string } } {
  const child = spawn(process.execPath, [farProcess]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  return { child, output: () => text };
}

it("keeps what the console prints off the wire", async () => {
  let stderr = "";
  const transport = spawnTransport([process.execPath, farProcess], ndjson(), { onStderr: (text) => (stderr += text) });
  const end = new NearEnd(transport);
  await end.tell({ do: "log", text: "a stray line" });
  await end.ask({ do: "echo", value: 1 }, "echo");
  await end.transport.close();
  expect(end.malformed).toEqual([]);
  expect(end.received).toEqual([{ echo: 1 }]);
  expect(stderr.match(/a stray line/g)).toHaveLength(6);
});

it("closes at the end of stdin, answers what came before it, and lets the process exit", async () => {
  const { child, output } = start();
  child.stdin.end('{"do":"take","i":0}\n{"do":"echo","value":1}');
  expect(await once(child, "close")).toEqual([0, null]);
  expect(output()).toEqual({ stdout: '{"echo":1}\n', stderr: '{"closed":1}\n' });
});

it("takes a reader of stdout that went away for the close, quietly", async () => {
  const { child, output } = start();
  child.stdout.destroy();
  child.stdin.write('{"do":"flood","n":1000,"size":1000}\n');
  expect(await once(child, "close")).toEqual([0, null]);
  expect(output().stderr).toBe('{"closed":0}\n');
});

it.each([
  ["a socket", '"$0" "$1"; echo "exit $?" >&2'], // Node gives sockets to the processes that it starts
  ["a pipe", '{ "$0" "$1"; echo "exit $?" >&2; } | sleep 60'],
])("exits at the end of stdin although nobody reads its stdout, which is %s", async (_kind, line) => {
  const child = spawn("sh", ["-c", line, process.execPath, farProcess], { detached: true });
  onTestFinished(() => void signalTree(child, "SIGKILL"));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const reported = async (fact: string): Promise<void> => {
    while (!stderr.includes(fact)) await once(child.stderr, "data");
  };
  child.stdin.write('{"do":"flood","n":1000,"size":10000}\n');
  await reported('{"blocked":');
  child.stdin.end();
  await reported('{"closed":0}');
  await reported("exit 0");
});
