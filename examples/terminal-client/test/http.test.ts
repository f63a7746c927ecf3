import { listenAcp } from "@editwire/acp/node";
import { expect, onTestFinished, test } from "vitest";
import { lossyProxy } from "../../../packages/acp/test/lossy-proxy.js";
import { programs } from "./programs.js";
import { runProgram, type RunningProgram } from "./run-program.js";

/** A process that serves an agent over HTTP, at the URL that it prints. */
async function startServer(): Promise<RunningProgram> {
  const server = runProgram([...programs.agent, "serve", "t0ken"]);
  onTestFinished(() => server.kill("SIGKILL"));
  await server.shows("\n");
  return server;
}

/** The URL of an agent that is served over HTTP by a process of its own. */
const serve = async (): Promise<string> => (await startServer()).output.trim();

const client = (...options: string[]): RunningProgram =>
  runProgram([...programs.client, "--cwd", "/work", ...options], { ACP_TOKEN: "t0ken" });

test("a turn over HTTP is shown like any other", async () => {
  const program = client("--url", await serve(), "--prompt", "greet");
  expect(await program.ended).toBe(0);
  expect(program.output).toMatch(
    /^fixture {2}1\.2\.3 {2}mode full\n\nA greeting is asked for\.\n\nHello, world!\n[^]*Done\.\n\ndone · /,
  );
});

test("permissions are asked for, and prompts read from a pipe, over HTTP too", async () => {
  const program = client("--url", await serve(), "--yes");
  program.feed("edit\n/mode safe\nbye\n");
  expect(await program.ended).toBe(0);
  expect(program.output).toMatch(/└ Allow \(answered by --yes\)\n✓ edit[^]*mode safe[^]*You said: bye/);
});

test("SIGINT cancels the turn over HTTP: 130", async () => {
  const program = client("--url", await serve(), "--prompt", "wait");
  await program.shows("Waiting.");
  program.kill("SIGINT");
  expect(await program.ended).toBe(130);
  expect(program.output).toMatch(/Waiting\.\n\ncancelling …\n\ncancelled · \d/);
});

test("SIGTERM cancels the turn over HTTP before the client quits: 143", async () => {
  const server = await startServer();
  const program = client("--url", server.output.trim(), "--prompt", "wait, and say so when it is over");
  await program.shows("Waiting.");
  program.kill("SIGTERM");
  expect(await program.ended).toBe(143);
  await server.shows("[stderr] The turn was cancelled.");
  const next = client("--url", server.output.split("\n")[0] ?? "", "--prompt", "greet");
  expect(await next.ended).toBe(0);
});

test("a prompt that a proxy answers before its agent runs once, and the user sees why", async () => {
  const { url, counts } = await lossyProxy(await serve(), { "session/prompt": 504 });
  const program = client("--url", url, "--prompt", "greet");
  expect(await program.ended).toBe(1);
  expect(program.output).toMatch(/✗ [^✗]*POST \S+: the server answered 504 [^✗]*so its outcome is unknown/);
  expect(counts["session/prompt"]).toBe(1);
});

test("an agent that does not let the client in, or is not there, ends it with 1", async () => {
  const refused = client("--url", await serve(), "--token", "wrong", "--prompt", "greet");
  const lost = client("--url", "http://127.0.0.1:2", "--prompt", "greet");
  const odd = client("--url", "localhost", "--prompt", "greet");
  expect(await Promise.all([refused, lost, odd].map(({ ended }) => ended))).toEqual([1, 1, 1]);
  expect(refused.output).toMatch(/^✗ GET http:\S+\/acp\/sse: the server answered 401 a bearer token is required\n$/);
  expect(lost.output).toMatch(/^✗ GET http:\/\/127\.0\.0\.1:2\/acp\/sse: .*ECONNREFUSED/);
  expect(odd.output).toBe('✗ dialAcp: expected an http, https, ws or wss URL, received "localhost"\n');
});

test("--over streamable reaches an agent at the path of version 1", async () => {
  const listener = await listenAcp(
    { info: { name: "remote", version: "2" }, prompt: async (turn) => void turn.text("Hello from afar.") },
    { token: "t0ken" },
  );
  onTestFinished(() => listener.close());
  const program = client("--url", listener.url, "--over", "streamable", "--prompt", "greet");
  expect(await program.ended).toBe(0);
  expect(program.output).toMatch(/^remote {2}2\n\nHello from afar\.\n\ndone · /);
});
