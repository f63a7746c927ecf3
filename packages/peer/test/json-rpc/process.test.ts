import { contentLength, ndjson } from "@editwire/framing";
import { spawnTransport, type SpawnOptions } from "@editwire/transport/node";
import { describe, expect, it } from "vitest";
import { bundle } from "../../../../scripts/testing/bundle.js";
import { jsonRpcPeer } from "../../src/index.js";
import { deferred, handlerOf, rejection } from "./support.js";

const { echo } = await bundle(import.meta.url, { echo: "fixtures/echo.ts" });
const codecs = { ndjson: ndjson(), "content-length": contentLength() };

function start(name: keyof typeof codecs, options: SpawnOptions = {}) {
  return jsonRpcPeer(spawnTransport([process.execPath, echo, name], codecs[name], options), { maxCalls: 4_096 });
}

describe.concurrent.each(["ndjson", "content-length"] as const)("a child process that speaks %s", (name) => {
  it("answers calls, streams in order, calls back, floods and dies with a reason", async () => {
    const peer = start(name);
    const seen: number[] = [];
    const flooded = deferred();
    peer.serve(
      handlerOf({
        request: (_method, params) => params,
        async notification(_method, params) {
          const { n, last } = params as { n: number; last: boolean };
          if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
          seen.push(n);
          if (last) flooded.resolve();
        },
      }),
    );
    expect(await peer.request("echo", { text: "grün 🎉" })).toEqual({ text: "grün 🎉" });
    expect(await peer.request("back", { n: 1 })).toEqual({ got: { n: 1 } });
    expect(await rejection(peer.request("nothing", {}))).toMatchObject({ name: "RemoteError", code: -32601 });

    const text = "x".repeat(200);
    const calls = Array.from({ length: 2_000 }, (_, n) => peer.request("echo", { n, text }));
    await peer.request("flood", { count: 5_000 }, { streams: true });
    expect(seen).toEqual(Array.from({ length: 5_000 }, (_, n) => n));
    await flooded.promise;
    expect(await Promise.all(calls)).toEqual(calls.map((_, n) => ({ n, text })));

    const pending = rejection(peer.request("exit", { code: 3 }));
    expect(await pending).toMatchObject({ code: "closed", cause: { data: { exitCode: 3 } } });
    expect(await peer.closed).toMatchObject({ code: "closed" });
  });
});

describe.concurrent("a child process that breaks its framing", () => {
  const stops = "the other end stopped inside a message: ";

  it.each([
    ["content-length", "Content-Length: 99999999999\r\n\r\n{", "too_large", "Content-Length is 99999999999: "],
    ["content-length", "Content-Length: 100\r\n\r\n{}", "framing", `${stops}2 of 100 bytes of its body came, `],
    ["content-length", "Content-Length: 100\r\n", "framing", `${stops}19 bytes came, `],
    ["ndjson", '{"jsonrpc":"2.0"', "framing", `${stops}16 bytes came, `],
  ] as const)("ends the connection with the reason (%s, %j)", async (name, text, code, message) => {
    const peer = start(name, { stallMs: 200, graceMs: 50 });
    peer.serve(handlerOf());
    const error = await rejection(peer.request("raw", { text }));
    expect(error).toMatchObject({ code: "closed", cause: { code } });
    expect((error as Error).message).toContain(`raw: ${message}`);
    expect(await peer.closed).toMatchObject({ code });
  });
});
