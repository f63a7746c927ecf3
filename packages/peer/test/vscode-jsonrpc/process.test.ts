import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { contentLength } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";
import { expect, it } from "vitest";
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { handlerOf, rejection } from "../json-rpc/support.js";
import { connectionPeer, transportStreams } from "../../src/vscode-jsonrpc/index.js";
import { quiet } from "./support.js";

const file = fileURLToPath(new URL("fixtures/server.mjs", import.meta.url));
const argv = [process.execPath, file];

/** A child process as extensions start one. */
function start(): {
  child: ChildProcessByStdio<Writable, Readable, null>;
  connection: MessageConnection;
  exit: Promise<number | null>;
} {
  const child = spawn(process.execPath, argv.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const exit = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    child,
    exit,
    connection: createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
      quiet,
    ),
  };
}

it("speaks with a child process that an extension started", async () => {
  const { connection, exit } = start();
  const counted: number[] = [];
  const peer = connectionPeer(connection);
  peer.serve(
    handlerOf({
      notification: (_method, params) => void counted.push((params as { n: number }).n),
      request: (method) => `${method} answered`,
    }),
  );
  expect(await peer.request("count", { to: 500 })).toEqual({ to: 500 });
  expect(counted).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
  expect(await peer.request("ask", {})).toEqual({ answer: "question answered" });
  expect(await rejection(peer.request("nothing", {}))).toMatchObject({ name: "RemoteError", code: -32601 });
  await peer.close();
  expect(await exit).toBe(0);
});

it("rejects what is pending when the child process exits", async () => {
  const { connection, exit } = start();
  const peer = connectionPeer(connection);
  peer.serve(handlerOf());
  expect(await rejection(peer.request("exit", {}))).toMatchObject({ name: "WireError", code: "closed" });
  expect(await exit).toBe(3);
  expect(await peer.closed).toMatchObject({ code: "closed" });
});

it("gives a connection our child process, and says how that ended", async () => {
  const { reader, writer, closed } = transportStreams(spawnTransport(argv, contentLength({ noise: "resync" })));
  const connection = createMessageConnection(reader, writer, quiet);
  const counted: unknown[] = [];
  connection.onNotification("counted", (params) => void counted.push(params));
  const over = new Promise<void>((resolve) => connection.onClose(() => resolve()));
  connection.listen();
  expect(await connection.sendRequest("count", { to: 3 })).toEqual({ to: 3 });
  expect(counted).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  connection.sendRequest("exit").catch(() => {});
  await over;
  expect((await closed).data).toMatchObject({ exitCode: 3 });
});
