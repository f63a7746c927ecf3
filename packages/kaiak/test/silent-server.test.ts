import { connectKaiak } from "@editwire/kaiak";
import { spawnKaiak } from "@editwire/kaiak/node";
import { memoryPair } from "@editwire/transport";
import { expect, it, onTestFinished, vi } from "vitest";
import { RawPeer } from "../../peer/test/raw-peer.js";

const configuration = { workspace: { working_dir: "/tmp" } };

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

it("reports a program that has sent nothing for five seconds, once, with what it wrote", async () => {
  fakeTimers();
  const errors: unknown[] = [];
  const argv = [process.execPath, "--eval", `console.error("usage: agent"); process.stdin.resume()`];
  let isRunning = (): void => {};
  const running = new Promise<void>((resolve) => (isRunning = resolve));
  const client = await spawnKaiak(argv, { onError: (error) => errors.push(error), onStderr: isRunning });
  onTestFinished(() => client.close());
  const configured = client.configure(configuration);
  const run = client.newSession().prompt([{ id: "i", rule_id: "r", message: "m" }]);
  const ended = Promise.allSettled([configured, run.stopReason]);
  await running;
  vi.advanceTimersByTime(5_000);
  const message = 'node has not answered kaiak/configure for 5 seconds; it wrote to stderr: "usage: agent"';
  expect(errors).toEqual([expect.objectContaining({ code: "not_connected", message })]);
  await client.close();
  await ended;
  expect(errors).toHaveLength(1);
});

it("recognizes a program that sends back what it receives", async () => {
  const message = "sends back what it receives; a terminal in between does so, too, as with ssh -t";
  const first = await spawnKaiak(["cat"]);
  onTestFinished(() => first.close());
  await expect(first.configure(configuration)).rejects.toMatchObject({
    code: "invalid_result",
    message: `kaiak/configure: cat ${message}`,
  });
  const second = await spawnKaiak(["cat"]);
  onTestFinished(() => second.close());
  const run = second.newSession().prompt([{ id: "i", rule_id: "r", message: "m" }]);
  await expect(run.stopReason).rejects.toThrow(message);
});

it("reports nothing once the server has sent anything", async () => {
  fakeTimers();
  const errors: unknown[] = [];
  const [left, right] = memoryPair();
  const client = await connectKaiak(left, { onError: (error) => errors.push(error) });
  const server = new RawPeer(right);
  const run = client.newSession({ sessionId: "s" }).prompt([{ id: "i", rule_id: "r", message: "m" }]);
  await server.take("workspace/executeCommand");
  const frame = { session_id: "s", request_id: "r", message_id: "1", timestamp: "2025-12-24T10:30:00Z" };
  server.notify("kaiak/stream/thinking", { ...frame, content: { text: "Hm" } });
  expect((await run[Symbol.asyncIterator]().next()).value).toMatchObject({ type: "thought" });
  vi.advanceTimersByTime(5_000);
  await client.close();
  await run.stopReason.catch(() => {});
  expect(errors).toEqual([]);
});

it("reports what a server says in unknown sessions once in a second, with the number of the others", async () => {
  fakeTimers();
  const messages: string[] = [];
  const [left, right] = memoryPair();
  const client = await connectKaiak(left, { onDiagnostic: ({ message }) => void messages.push(message) });
  onTestFinished(() => client.close());
  const server = new RawPeer(right);
  const frame = { session_id: "ghost", request_id: "r", message_id: "1", timestamp: "2025-12-24T10:30:00Z" };
  for (let at = 0; at < 20; at++) server.notify("kaiak/stream/thinking", { ...frame, content: { text: "Hm" } });
  await server.call("unknown", {});
  vi.advanceTimersByTime(1_000);
  const counts = ["1 message", "19 more messages"];
  expect(messages).toEqual(counts.map((count) => `${count} for the unknown session ghost dropped`));
});
