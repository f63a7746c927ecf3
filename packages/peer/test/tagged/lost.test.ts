import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { ndjson } from "@editwire/framing";
import { listenSocket } from "@editwire/transport/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { readLines } from "../../../../scripts/testing/lines.js";
import { backendPeer, pluginPeer, recorder } from "./protocol.js";

/** A peer behind a TCP socket, and the raw socket at its other end. */
async function connected<P>(peerOf: (transport: Parameters<typeof backendPeer>[0]) => P) {
  const peers: P[] = [];
  const listener = await listenSocket({ port: 0 }, ndjson(), (transport) => void peers.push(peerOf(transport)));
  onTestFinished(() => listener.close());
  const socket: Socket = createConnection(listener.address as { port: number });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  const lines = readLines(socket);
  const next = async (): Promise<unknown> => JSON.parse((await lines.next()).value ?? "null");
  while (peers.length === 0) await new Promise(setImmediate);
  return { peer: peers[0] as P, socket, next };
}

const serve = (transport: Parameters<typeof backendPeer>[0]) => {
  const peer = backendPeer(transport);
  peer.serve(recorder().callbacks);
  return peer;
};

describe("a reply in a byte stream", () => {
  it("is read behind noise without a line break", async () => {
    const { peer, socket, next } = await connected(serve);
    const answer = peer.request("CALL", { callId: "a" });
    expect(await next()).toEqual({ type: "CALL", callId: "a" });
    socket.write('\u001b]0;plugin\u0007{"event":"RESULT","data":{"callId":"a","n":1}}\n');
    expect(await answer).toEqual({ callId: "a", n: 1 });
  });

  it.each([
    ["by the name of its call", "callId"],
    ["by an alias of that name", "id"],
  ])("fails its call at once if it cannot be read, %s, and no other call", async (_name, field) => {
    const { peer, socket, next } = await connected(serve);
    const [lost, other] = [peer.request("CALL", { callId: "a" }), peer.request("CALL", { callId: "b" })];
    await next();
    socket.write(
      `noise {"event":"RESULT","data":{"${field}":"b"\n{"event":"RESULT","data":{"${field}":"a","n":NaN}}\n`,
    );
    await expect(lost).rejects.toThrow("CALL: the answer cannot be read: the message is not readable as JSON");
    socket.write('{"event":"RESULT","data":{"callId":"b","n":2}}\n');
    expect(await other).toEqual({ callId: "b", n: 2 });
  });
});

describe("a call in a byte stream", () => {
  it("is refused at once if it cannot be read, unless it is a copy of one that runs", async () => {
    let resolve = (_result: object): void => {};
    const end = new Promise<object>((settle) => (resolve = settle));
    const { socket, next } = await connected((transport) => {
      const peer = pluginPeer(transport, { failure: ({ code }) => ({ code }) });
      peer.serve(recorder({ request: () => end }).callbacks);
      return peer;
    });
    socket.write('{"type":"CALL","callId":"a"}\n{"type":"CALL","callId":"a","n":NaN}\n{"type":"CALL","callId":"b"\n');
    expect(await next()).toEqual({ event: "RESULT", data: { callId: "b", code: -32700 } });
    resolve({ n: 1 });
    expect(await next()).toEqual({ event: "RESULT", data: { callId: "a", n: 1 } });
  });
});
