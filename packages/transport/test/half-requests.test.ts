// Requests that do not arrive as a whole keep nobody out, and cost no connection whose request did.
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { listenHttp, type ListenOptions } from "../src/node.js";
import { rawHttp, type RawHttp, requestText } from "./raw-http.js";

async function serve(options: ListenOptions) {
  const reports: string[] = [];
  const listener = await listenHttp(
    async (request) => {
      if (new URL(request.url).pathname === "/stream") return new Response(new ReadableStream());
      return new Response(await request.text());
    },
    { onDiagnostic: ({ id, message }) => void reports.push(`${id}: ${message}`), closeTimeoutMs: 20, ...options },
  );
  onTestFinished(() => listener.close());
  const { port } = listener;
  const whole = requestText("POST /", { "content-length": "5", connection: "close" }, "whole");
  const ask = async (): Promise<string> => /\bwhole\b|$/.exec(await rawHttp(port, whole).closed)?.[0] ?? "";
  return { port, ask, reports };
}

/** Connections that send this and then nothing. */
async function hold(port: number, count: number, text: string): Promise<RawHttp[]> {
  const all = Array.from({ length: count }, () => rawHttp(port, text));
  await Promise.all(all.map(({ socket }) => new Promise((resolve) => socket.once("ready", resolve))));
  return all;
}

describe("a listener with as many half requests as it has connections", () => {
  it.each([
    ["headers", "GET / HTTP/1.1\r\nHost: localhost\r\nX: "],
    ["bodies", requestText("POST /", { "content-length": "100" }, "{")],
    ["nothing", ""],
  ])("takes whole requests all the same: %s", async (_name, text) => {
    const { port, ask, reports } = await serve({ maxConnections: 64 });
    const stream = rawHttp(port, requestText("GET /stream"));
    await stream.until(/200 OK/);
    await hold(port, 64, text);
    for (let i = 0; i < 3; i += 1) expect(await ask()).toBe("whole");
    expect(stream.socket.destroyed).toBe(false);
    expect(reports[0]).toBe(
      "listener.full: a connection was dropped: too many connections (maxConnections): 127.0.0.1",
    );
  });

  it("answers 503 to the oldest one, and to a new one where every other request is whole", async () => {
    const { port } = await serve({ maxConnections: 2 });
    const [half] = await hold(port, 1, "GET / HTTP/1.1\r\n");
    for (let i = 0; i < 2; i += 1) await rawHttp(port, requestText("GET /stream")).until(/200 OK/);
    expect(await half?.closed).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nRetry-After: 1\r\n/);
    expect(await rawHttp(port, requestText("GET /")).closed).toMatch(/^HTTP\/1\.1 503 /);
  });

  it("lets an address have an eighth of its connections with requests that stay incomplete", async () => {
    const { port, ask, reports } = await serve({
      maxConnections: 256,
      headersTimeoutMs: 120_000,
      requestTimeoutMs: 120_000,
    });
    const held = await hold(port, 40, "GET / HTTP/1.1\r\n");
    const isOver = async (): Promise<void> => {
      expect(await ask()).toBe("whole");
      expect(reports).toHaveLength(1);
    };
    await vi.waitFor(isOver, { timeout: 5_000 }); // many may arrive at once within a second
    await Promise.all(held.slice(0, 8).map(({ closed }) => closed));
    expect(held.filter(({ socket }) => !socket.destroyed)).toHaveLength(32);
    expect(reports[0]).toContain("too many incomplete requests of one address");
  });
});
