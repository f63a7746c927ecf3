import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { acp, httpTarget, memoryTarget, runConformance, type RunOptions, stdioTarget } from "../src/index.js";
import { toy, toyCase, toyServer } from "./toy.js";

/** Called when the case that never ends has begun. */
let onHang = (): void => {};
const hangs = toyCase("hangs", ["TOY-MUST-2"], () => {
  onHang();
  return new Promise(() => {});
});
const good = toyCase("good", ["TOY-MUST"], (t) => t.pass("TOY-MUST"));
const later = toyCase("later", ["TOY-MUST"], (t) => t.pass("TOY-MUST"));
const run = (options: Partial<RunOptions>) =>
  runConformance({
    protocol: toy([good, hangs, later]),
    role: "server",
    target: memoryTarget(toyServer()),
    jobs: 1,
    seed: 1,
    ...options,
  });

describe("a run that does not end by itself", () => {
  test("is incomplete at its time limit if a must was not judged, and reports what it has", async () => {
    const report = await run({ limitMs: 300 });
    expect(report).toMatchObject({ outcome: "incomplete", exitCode: 3, error: expect.stringContaining("0.3 s") });
    expect(report.notes?.[0]).toMatch(
      /0\.3 s: 1 of 3 cases ran, and 1 musts? were not judged; --limit gives more time$/,
    );
    expect(report.cases.map(({ id, verdict }) => [id, verdict])).toEqual([
      ["calibration", "pass"],
      ["toy.server.good", "pass"],
    ]);
  });

  test("has passed at its time limit if each must was judged, the cases that judge one first", async () => {
    const more = toyCase("more", ["TOY-MUST", "TOY-SHOULD"], () => new Promise(() => {}));
    const other = toyCase("other", ["TOY-MUST-2"], (t) => t.pass("TOY-MUST-2"));
    const report = await run({ protocol: toy([good, more, other]), limitMs: 300 });
    expect(report).toMatchObject({ outcome: "passed", exitCode: 0 });
    expect(report.error).toBeUndefined();
    expect(report.notes?.[0]).toMatch(/2 of 3 cases ran, and each must was judged at least once/);
    expect(report.cases.map(({ id }) => id)).toEqual(["calibration", "toy.server.good", "toy.server.other"]);
  });

  test("runs more cases at the same time if the target takes its time for most answers", async () => {
    let [running, most] = [0, 0];
    const pings = Array.from({ length: 60 }, (_, index) =>
      toyCase(`ping-${index}`, ["TOY-MUST"], async (t) => {
        most = Math.max(most, ++running);
        for (let ping = 0; ping < 3; ping++) await t.send.request("ping", {}).result();
        t.pass("TOY-MUST");
        running -= 1;
      }),
    );
    const slow = memoryTarget((pipe) => {
      const late = { ...pipe, write: (chunk: Uint8Array) => void setTimeout(() => pipe.write(chunk), 450) };
      toyServer()({ ...late, listen: (events) => pipe.listen(events), end: () => pipe.end() });
    });
    const options = { protocol: toy(pings), jobs: undefined };
    await run({ ...options });
    expect(most).toBe(2);
    await run({ ...options, target: slow });
    expect(most).toBe(8);
  }, 60_000);

  test("reports what it has when it is interrupted within a case", async () => {
    const stop = new AbortController();
    onHang = () => stop.abort();
    onTestFinished(() => void (onHang = () => {}));
    const report = await run({ signal: stop.signal });
    expect(report).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(report.cases.find(({ id }) => id.endsWith("hangs"))).toMatchObject({
      verdict: "blocked",
      reason: "the run was interrupted",
    });
  });

  test("is over at once when the target never completes the handshake", async () => {
    const silent = stdioTarget({ argv: [process.execPath, "-e", "setInterval(() => {}, 1000)"] });
    const start = performance.now();
    const report = await run({ target: silent, limitMs: 500, graceMs: 100 });
    expect(report).toMatchObject({ outcome: "incomplete" });
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

/** Answers the stream, and posts of `initialize` and `session/new`. It never answers another request. */
async function serveHalf(): Promise<string> {
  const streams = new Map<string, (message: object) => void>();
  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const client = searchParams.get("client_id") ?? "";
    if (pathname === "/acp/sse" && request.method === "GET") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": connected\n\n");
      streams.set(client, (message) => void response.write(`data: ${JSON.stringify(message)}\n\n`));
      return;
    }
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { id, method } = (body.startsWith("{") && body.endsWith("}") ? JSON.parse(body) : {}) as Record<
        string,
        unknown
      >;
      const result =
        method === "initialize" ? { protocolVersion: 1 } : method === "session/new" ? { sessionId: "one" } : undefined;
      if (result === undefined) return;
      response.writeHead(202).end();
      streams.get(client)?.({ jsonrpc: "2.0", id, result });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a case of HTTP ends with a verdict against a server that never answers", async () => {
  const { http } = acp;
  if (http === undefined) throw new TypeError("ACP goes over HTTP");
  const start = performance.now();
  const report = await runConformance({
    protocol: acp,
    role: "agent",
    target: httpTarget({ url: await serveHalf(), paths: http }),
    filter: ["acp.agent.http.statuses", "acp.agent.http.no-client-id"],
    seed: 1,
  });
  expect(report.cases.slice(1)).toMatchObject([{ verdict: "fail" }, { verdict: "fail" }]);
  expect(report.cases[1]?.checks.find(({ source }) => source === "case")?.message).toMatch(/was not answered within/);
  expect(performance.now() - start).toBeLessThan(25_000);
});
