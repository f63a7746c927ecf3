import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { ndjson } from "@editwire/framing";
import { expect, it, onTestFinished } from "vitest";
import { nodeStreamTransport } from "../src/node.js";
import { transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { deferred, NearEnd } from "./near-end.js";

const traits = { largeMessage: 4_000_000 };

transportTests(
  "nodeStreamTransport over operating system pipes",
  async (options) => {
    const there = spawn("cat");
    const back = spawn("cat");
    const kill = (): void => {
      there.kill("SIGKILL");
      back.kill("SIGKILL");
    };
    onTestFinished(kill);
    const near = nodeStreamTransport(back.stdout, there.stdin, ndjson(), options);
    const far = nodeStreamTransport(there.stdout, back.stdin, ndjson());
    return inProcess(near, far, { garbage: () => void back.stdin.write("this is not a message\n"), kill });
  },
  traits,
);

async function socketPair(): Promise<[Socket, Socket]> {
  const path = join(await mkdtemp(join(tmpdir(), "editwire-")), "socket");
  const server = createServer();
  server.listen(path);
  await once(server, "listening");
  const near = connect(path);
  const [far] = (await once(server, "connection")) as [Socket];
  server.close();
  return [near, far];
}

transportTests(
  "nodeStreamTransport over one duplex",
  async (options) => {
    const [near, far] = await socketPair();
    return inProcess(nodeStreamTransport(near, near, ndjson(), options), nodeStreamTransport(far, far, ndjson()), {
      garbage: () => void far.write("this is not a message\n"),
      kill: () => void far.destroy(),
    });
  },
  traits,
);

it("destroys the streams when the other end does not take what was sent in time", async () => {
  const readable = new PassThrough();
  const writable = new PassThrough({ highWaterMark: 1 });
  const end = new NearEnd(nodeStreamTransport(readable, writable, ndjson(), { closeTimeoutMs: 1 }));
  end.transport.send("[1]");
  await end.transport.close();
  expect([readable.destroyed, writable.destroyed]).toEqual([true, true]);
  expect(end.reasons).toEqual([expect.objectContaining({ message: "closed by this side" })]);
});

it("says what broke", async () => {
  const readable = new PassThrough();
  const end = new NearEnd(nodeStreamTransport(readable, new PassThrough(), ndjson()));
  const cause = new Error("read EIO");
  readable.destroy(cause);
  expect(await end.closed).toMatchObject({ code: "closed", message: "the connection broke: read EIO", cause });
});

it("reports a message that the end cut off", async () => {
  const readable = new PassThrough();
  const end = new NearEnd(nodeStreamTransport(readable, new PassThrough().resume(), ndjson()));
  readable.end('{"whole":1}\n{"half":');
  await end.closed;
  expect(end.received).toEqual([{ whole: 1 }]);
  expect(end.malformed).toEqual([expect.objectContaining({ code: "framing" })]);
});

it("delivers what it had read when the stream broke behind it", async () => {
  const readable = new PassThrough();
  const end = new NearEnd(nodeStreamTransport(readable, new PassThrough(), ndjson()));
  const hold = deferred();
  const first = end.next("n");
  end.onMessage = () => hold.promise;
  readable.write('{"n":1}\n{"n":2}\n');
  await first;
  const closed = new Promise((resolve) => readable.once("close", resolve));
  readable.destroy(new Error("read EIO"));
  await closed;
  expect(() => end.transport.send("[]")).toThrow(expect.objectContaining({ code: "closed" }));
  expect(end.reasons).toEqual([]);
  hold.resolve();
  await end.closed;
  expect(end.received).toEqual([{ n: 1 }, { n: 2 }]);
});
