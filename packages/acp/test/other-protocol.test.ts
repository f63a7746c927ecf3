import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryPair } from "@editwire/transport";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectAcp } from "../src/index.js";
import { spawnAcp } from "../src/node.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

/** How `connectAcp` fails with a peer that gives this answer to `initialize`. */
async function answered(answer: object): Promise<unknown> {
  const [left, right] = memoryPair();
  const failed = failure(connectAcp(left));
  const server = new RawPeer(right);
  const { id } = await server.take("initialize");
  server.send({ jsonrpc: "2.0", id, ...answer });
  return failed;
}

const named = {
  code: "invalid_result",
  message: "initialize: the peer speaks ECA; use spawnEca or connectEca of @editwire/eca",
};

it("says that a server of ECA answered, by what it answered", async () => {
  expect(await answered({ result: { models: ["m"], chatWelcomeMessage: "Hello" } })).toMatchObject(named);
});

it("says that a server of ECA answered, by the params that it misses", async () => {
  const message = "initialize: params.workspaceFolders: expected array, received undefined";
  expect(await answered({ error: { code: -32602, message } })).toMatchObject({ ...named, cause: { message } });
});

it("passes on any other error", async () => {
  expect(await answered({ error: { code: -32601, message: "Method not found" } })).toMatchObject({ code: -32601 });
  expect(await answered({ result: { protocolVersion: 7 } })).toMatchObject({
    code: "invalid_result",
    message: "initialize: the agent speaks protocol version 7, this client speaks 1",
  });
  expect(await answered({ result: {} })).toMatchObject({ message: expect.stringContaining("result.protocolVersion") });
});

it("names ECA for a command that does not answer, since its servers read no lines", async () => {
  const argv = [process.execPath, "--eval", "process.stdin.resume()"];
  expect(await failure(spawnAcp(argv, { timeoutMs: 300 }))).toMatchObject({
    code: "timeout",
    message: expect.stringContaining("; if it speaks ECA, use spawnEca or connectEca of @editwire/eca"),
  });
});

it("names ECA as soon as a server of it shows that it reads no lines", async () => {
  const server = `process.stdin.once("data", () => {
    const answer = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
    process.stdout.write("Content-Length: " + answer.length + "\\r\\n\\r\\n" + answer);
  })`;
  expect(await failure(spawnAcp([process.execPath, "--eval", server]))).toMatchObject({
    code: "invalid_result",
    message: "initialize: node cannot read it; if it speaks ECA, use spawnEca or connectEca of @editwire/eca",
  });
});

it("reports what a command writes instead of ACP at once, without its secrets", async () => {
  const errors: unknown[] = [];
  const program = `console.log("Loading with API key: a1b2, and sk-${"0a".repeat(20)}"); console.log("more")`;
  const argv = [process.execPath, "--eval", program];
  const noise = 'what it wrote is not ACP: "Loading with API key: ***, and ***"';
  expect(await failure(spawnAcp(argv, { onError: (error) => errors.push(error) }))).toMatchObject({
    code: "closed",
    message: expect.stringContaining(noise),
  });
  const message = `node: ${noise}; expected one JSON-RPC message in each line`;
  expect(errors).toEqual([expect.objectContaining({ code: "not_connected", message })]);
});

it("reports a command that has not answered for five seconds, with what it wrote", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const program = `console.log("Usage: agent"); console.error("no model"); process.stdin.resume()`;
  const reported = new Promise<unknown>((onError) => {
    const onStderr = (): void => void vi.advanceTimersByTime(5_000);
    void failure(spawnAcp([process.execPath, "--eval", program], { onError, onStderr, timeoutMs: 5_500 }));
  });
  expect(await reported).toMatchObject({
    message: expect.stringMatching(
      /^node has not answered initialize for 5 seconds; it wrote "Usage: agent"; it wrote to stderr: "no model"; /,
    ),
  });
  vi.advanceTimersByTime(500);
});

it("names the flag that a silent command may lack, and no other protocol where it has the flag", async () => {
  const program = ["--eval", "process.stdin.resume()", "--"];
  const hint = async (...args: string[]): Promise<string> => {
    const error = await failure(spawnAcp([process.execPath, ...program, ...args], { timeoutMs: 300 }));
    return (error as Error).message.replace(/^.*? ms/, "");
  };
  const flag = '; it may need "--acp" or "acp" to speak ACP';
  const eca = "; if it speaks ECA, use spawnEca or connectEca of @editwire/eca";
  expect(await hint("--model", "acpx")).toBe(flag + eca);
  for (const given of ["acp", "--acp", "--experimental-acp", "/opt/codex-acp"]) expect(await hint(given)).toBe("");
});

it("names the flag for a command that ends without a failure", async () => {
  const argv = [process.execPath, "--eval", "console.error('usage: agent')"];
  expect(await failure(spawnAcp(argv))).toMatchObject({
    code: "closed",
    message: 'initialize: node exited with code 0; it may need "--acp" or "acp" to speak ACP',
    data: { exitCode: 0, stderr: "usage: agent\n" },
  });
});

it("recognizes a command that sends back what it receives", async () => {
  expect(await failure(spawnAcp(["cat"]))).toMatchObject({
    code: "invalid_result",
    message: "initialize: cat sends back what it receives; a terminal in between does so, too, as with ssh -t",
  });
});

it("gives a program that installs the agent more time than an agent has to answer", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = await mkdtemp(join(tmpdir(), "editwire-npx-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const npx = join(folder, "npx");
  await writeFile(npx, `#!${process.execPath}\nconsole.error("installing"); process.stdin.resume();`, { mode: 0o755 });
  const giveUp = new AbortController();
  let failed: Promise<unknown> | undefined;
  const reported = new Promise<unknown>((onError) => {
    const onStderr = (): void => void vi.advanceTimersByTime(5_000);
    const options = { onError, onStderr, timeoutMs: 5_500, signal: giveUp.signal };
    failed = failure(spawnAcp([npx, "my-agent"], options));
  });
  expect(await reported).toMatchObject({
    message: expect.stringMatching(
      /^npx has not answered initialize for 5 seconds; it may still be installing the program; it wrote to stderr: /,
    ),
  });
  vi.advanceTimersByTime(590_000);
  giveUp.abort();
  expect(await failed).toMatchObject({ code: "aborted" });
});
