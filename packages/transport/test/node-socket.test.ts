import { createConnection, createServer } from "node:net";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { ndjson } from "@editwire/framing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";
import type { Transport } from "../src/index.js";
import { connectSocket, listenSocket, type SocketListener } from "../src/node.js";
import type { SocketAddress } from "../src/node/socket.js";
import { type EndsOptions, transportTests } from "./contract.js";
import { inProcess } from "./in-process.js";
import { deferred, NearEnd } from "./near-end.js";

const { listener: program } = await bundle(import.meta.url, { listener: "fixtures/listener.ts" });

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "editwire-socket-"))));
afterEach(() => rm(folder, { recursive: true }));

async function serve(
  address: SocketAddress,
  onConnection: (transport: Transport) => void = (transport) => void transport.close(),
): Promise<SocketListener> {
  const listener = await listenSocket(address, ndjson(), onConnection);
  onTestFinished(() => listener.close());
  return listener;
}

/** Leaves the file of a socket whose process was killed. */
async function leaveStale(path: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ["-e", `require("net").createServer().listen(${JSON.stringify(path)}, () => console.log("up"))`],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(path)).toBe(true);
}

/** Starts a process that listens, and resolves with what it says. */
async function start(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return said.toString().trim();
}

it.each(["a Unix socket", "tcp"])("listens in a worker thread: %s", async (kind) => {
  const where = kind === "tcp" ? kind : join(folder, "s");
  expect(await start(where, "worker")).toMatch(/^listens /);
  if (kind !== "tcp") expect(statSync(where).mode & 0o777).toBe(0o600);
});

for (const [name, addressOf] of [
  ["a Unix socket", (): SocketAddress => ({ path: join(folder, "s") })],
  ["a TCP socket", (): SocketAddress => ({ port: 0 })],
] as const) {
  transportTests(
    name,
    async (options: EndsOptions) => {
      const accepted = deferred<Transport>();
      const listener = await serve(addressOf(), accepted.resolve);
      const near = await connectSocket(listener.address, ndjson(), options);
      return inProcess(near, await accepted.promise, { garbage: () => {}, kill: () => void listener.close() });
    },
    { carriesGarbage: false },
  );
}

describe("a listening Unix socket", () => {
  it("is for this user alone, and its file goes with it", async () => {
    const path = join(folder, "s");
    const listener = await serve({ path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await listener.close();
    expect(existsSync(path)).toBe(false);
  });

  it("replaces the file that a killed process left", async () => {
    const path = join(folder, "s");
    await leaveStale(path);
    await serve({ path });
    await (await connectSocket({ path }, ndjson())).close();
    expect(readdirSync(folder)).toEqual(["s"]);
  });

  it("takes the place of a dead one for one process of those that start at the same time", async () => {
    const path = join(folder, "s");
    await leaveStale(path);
    const started = await Promise.all(Array.from({ length: 6 }, () => start(path)));
    const refused = `refused cannot listen on ${path}: another process serves it`;
    expect(started.toSorted()).toEqual([`listens {"path":"${path}"}`, ...Array<string>(5).fill(refused)]);
    await (await connectSocket({ path }, ndjson())).close();
  });

  it("leaves the socket of another process, and a file, where its own was removed", async () => {
    const path = join(folder, "s");
    const first = await serve({ path });
    rmSync(path);
    const second = await serve({ path });
    await first.close();
    await (await connectSocket({ path }, ndjson())).close();
    rmSync(path);
    writeFileSync(path, "notes");
    await second.close();
    expect(readFileSync(path, "utf8")).toBe("notes");
    await expect(serve({ path })).rejects.toThrow(`cannot listen on ${path}: a file that is not a socket is there`);
  });

  it("leaves a living process its socket, and a file that is not a socket", async () => {
    const path = join(folder, "s");
    await serve({ path });
    await expect(serve({ path })).rejects.toThrow(/another process serves it/);
    await expect(serve({ path: folder })).rejects.toMatchObject({ code: "not_connected" });
  });
});

describe("a listening TCP socket", () => {
  it.runIf(process.platform !== "win32")("refuses a path that the system would shorten, at both ends", async () => {
    const path = join(tmpdir(), "s".repeat(150));
    const refusal = /^cannot (listen on|connect to) .*sss: the path of a socket has at most \d+ bytes$/;
    await expect(listenSocket({ path }, ndjson(), () => {})).rejects.toThrow(refusal);
    await expect(connectSocket({ path }, ndjson())).rejects.toThrow(refusal);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("sss"))).toEqual([]);
  });

  it("listens on loopback and says on which port", async () => {
    const { address } = await serve({ port: 0 });
    expect(address).toEqual({ host: "127.0.0.1", port: expect.any(Number) as number });
  });

  it("drops a connection above its limit", async () => {
    const transports: Transport[] = [];
    const listener = await listenSocket({ port: 0 }, ndjson(), (transport) => transports.push(transport), {
      maxConnections: 1,
    });
    onTestFinished(() => listener.close());
    const first = await connectSocket(listener.address, ndjson());
    onTestFinished(() => first.close());
    await vi.waitFor(() => expect(transports).toHaveLength(1));
    const heard = new NearEnd(transports[0] as Transport).next("n");
    void first.send('{"n":1}');
    await heard;
    const second = await connectSocket(listener.address, ndjson(), { closeTimeoutMs: 50 });
    const reason = await new Promise<Error>((resolve) =>
      second.start({ message() {}, malformed() {}, closed: resolve }),
    );
    expect(reason).toMatchObject({ code: "closed" });
    expect(transports).toHaveLength(1);
  });
});

it("a connection that has sent no whole message makes room for another", async () => {
  const transports: Transport[] = [];
  const reports: string[] = [];
  const listener = await listenSocket({ port: 0 }, ndjson(), (transport) => transports.push(transport), {
    maxConnections: 1,
    onDiagnostic: ({ message }) => void reports.push(message),
  });
  onTestFinished(() => listener.close());
  const { port } = listener.address as { port: number };
  const half = createConnection({ port, host: "127.0.0.1" });
  half.write('{"n":');
  await vi.waitFor(() => expect(transports).toHaveLength(1));
  new NearEnd(transports[0] as Transport);
  const whole = await connectSocket(listener.address, ndjson());
  onTestFinished(() => whole.close());
  await Promise.all([once(half.resume(), "close"), vi.waitFor(() => expect(transports).toHaveLength(2))]);
  const heard = new NearEnd(transports[1] as Transport).next("n");
  void whole.send('{"n":1}');
  expect(await heard).toEqual({ n: 1 });
  expect(reports).toEqual(["a connection that has sent no message made room for another (maxConnections)"]);
});

it("a connection to nobody names the address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  await expect(connectSocket({ port }, ndjson())).rejects.toThrow(`127.0.0.1:${port}`);
  await expect(connectSocket({ path: join(folder, "none") }, ndjson())).rejects.toMatchObject({
    code: "not_connected",
  });
});
