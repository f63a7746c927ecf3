// Every way into every binding takes the same options, and each of them has an effect.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as tick } from "node:timers/promises";
import { type AcpClientOptions, connectAcp, serveAcp } from "@editwire/acp";
import { dialAcp, listenAcp, spawnAcp } from "@editwire/acp/node";
import { connectEca, serveEca } from "@editwire/eca";
import { dialEca, listenEca, spawnEca } from "@editwire/eca/node";
import { createHelixZedAgent, createHelixZedHost } from "@editwire/helix-zed";
import { dialHelixZed, listenHelixZed } from "@editwire/helix-zed/node";
import { connectKaiak, serveKaiak } from "@editwire/kaiak";
import { dialKaiak, listenKaiak, spawnKaiak } from "@editwire/kaiak/node";
import { createSmanBackend, createSmanPlugin } from "@editwire/sman";
import { dialSman, listenSman, listenSmanPlugin } from "@editwire/sman/node";
import type { BindingOptions } from "@editwire/session";
import { memoryPair, type Transport } from "@editwire/transport";
import { connectWebSocket } from "@editwire/transport/node";
import { expect, it, onTestFinished } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { wired } = await bundle(import.meta.url, { wired: "fixtures/wired.ts" });

const patient = { timeout: 20_000 };

/** The options that every way in takes; `profile` differs between the bindings. */
type Options = Omit<BindingOptions, "profile">;

const site = { sessionId: "s", projectKey: "p" };
const agent = { async prompt() {} };
const fixer = { prompt: () => new Promise<never>(() => {}) };
const tools = { tools: { grep_file: () => ({ success: true as const, result: "" }) } };
const kaiak = { lspHandshake: true } as const;
const quiet = { onError() {} };

/** Every way in over a transport, by the side that it plays. `open` uses the near end. */
const sides: Record<string, (transport: Transport, options: Options) => unknown> = {
  connectAcp: (transport, options) => connectAcp(transport, options),
  serveAcp: (transport, options) => serveAcp(transport, agent, options),
  connectEca: (transport, options) => connectEca(transport, options),
  serveEca: (transport, options) => serveEca(transport, agent, options),
  connectKaiak: (transport, options) => connectKaiak(transport, { ...kaiak, ...options }),
  serveKaiak: (transport, options) => serveKaiak(transport, fixer, options),
  createHelixZedHost: (transport, options) => createHelixZedHost(options).attach(transport, "a"),
  createHelixZedAgent: (transport, options) =>
    createHelixZedAgent(agent, { sessionId: "s", dial: async () => transport, ...options }),
  createSmanBackend: (transport, options) =>
    createSmanBackend(options).attach(transport, site).call("grep_file", { pattern: "x" }),
  createSmanPlugin: (transport, options) =>
    createSmanPlugin(tools, { projectKey: "p", dial: async () => transport, ...options }),
};

it.each(Object.entries(sides).flatMap(([name, open]) => optionsOf(name).map((key) => ({ name, key, open }))))(
  "$name reads $key",
  async ({ name, key, open }) => {
    const call = async (): Promise<unknown> => open(memoryPair()[0], { ...quiet, [key]: "wrong" });
    await expect(call()).rejects.toThrow(new RegExp(`^${name}: expected ${key} to be a `));
  },
);

/** Helix-Zed has no requests, and a plugin of sman calls nothing, so their sides wait for nothing. */
function optionsOf(name: string): string[] {
  const common = ["maxUnhandled", "maxQueued", "maxRequests", "maxCalls", "onWire", "onDiagnostic", "onError"];
  return /HelixZed|SmanPlugin/.test(name) ? common : [...common, "timeoutMs"];
}

it.each(["connectAcp", "connectEca", "connectKaiak", "createSmanBackend"])(
  "%s gives up after timeoutMs, and calls no more than maxCalls",
  async (name) => {
    const open = (options: Options): unknown => sides[name]?.(memoryPair()[0], { ...quiet, ...options });
    await expect(open({ timeoutMs: 1 })).rejects.toMatchObject({ code: "timeout" });
    await expect(open({ maxCalls: 0 })).rejects.toMatchObject({ code: "overloaded" });
    // A side whose call is in flight reads on, until this many messages wait: then the call fails.
    await expect(open({ maxUnhandled: 0, maxQueued: 0 })).rejects.toMatchObject({ code: "overloaded" });
  },
);

/** A request that each side reads, and a notification. */
const incoming: Record<string, { request?: unknown; notification: unknown }> = {
  connectAcp: {
    request: rpc("session/request_permission", { sessionId: "s", toolCall: { toolCallId: "t" }, options: [] }),
    notification: rpc("$/x"),
  },
  serveAcp: { request: rpc("initialize", { protocolVersion: 1 }), notification: rpc("$/x") },
  connectEca: { request: rpc("editor/getDiagnostics", {}), notification: rpc("$/x") },
  serveEca: { request: rpc("shutdown", null), notification: rpc("$/x") },
  connectKaiak: { notification: rpc("$/x") },
  serveKaiak: { request: rpc("shutdown", null), notification: rpc("$/x") },
};

function rpc(method: string, params: unknown = {}): object {
  return { jsonrpc: "2.0", method, params };
}

it.each(Object.entries(incoming).filter(([, { request }]) => request !== undefined))(
  "%s refuses a request above maxRequests",
  async (name, { request }) => {
    const [near, far] = memoryPair();
    const answers = listen(far);
    void Promise.resolve(sides[name]?.(near, { ...quiet, maxRequests: 0 })).catch(() => {});
    void far.send(JSON.stringify({ ...(request as object), id: 7 }));
    await expect
      .poll(() => answers.find(({ id, error }) => id === 7 && error !== undefined), patient)
      .toMatchObject({
        error: { message: expect.stringContaining("the limit is 0") as string },
      });
  },
);

/** The messages that a far end receives. */
function listen(far: Transport): { id?: unknown; error?: unknown }[] {
  const received: { id?: unknown; error?: unknown }[] = [];
  far.start({ message: (value) => void received.push(value as object), malformed() {}, closed() {} });
  return received;
}

it.each(Object.keys(sides).filter((name) => !name.startsWith("connect")))(
  "%s stops reading above maxUnhandled",
  async (name) => {
    const read = async (options: Options): Promise<number> => {
      let count = 0;
      const [near, far] = memoryPair();
      listen(far);
      const onWire = (direction: string): void => void (direction === "in" && (count += 1));
      void Promise.resolve(sides[name]?.(near, { ...quiet, ...options, onWire })).catch(() => {});
      await tick();
      for (let index = 0; index < 50; index += 1) void far.send('{"jsonrpc":"2.0","method":"$/x","params":{}}');
      for (let index = 0; index < 5; index += 1) await tick();
      return count;
    };
    expect(await read({})).toBe(50);
    expect(await read({ maxUnhandled: 0, maxQueued: 0 })).toBeLessThan(50);
  },
);

/** Every way in over a process or a socket: both sides are opened with `onWire`, and exchange a message. */
const ways: Record<string, (near: Options, far: Options) => Promise<unknown>> = {
  "dialAcp, listenAcp over the specification's HTTP": async (near, far) =>
    closing(await dialAcp(closing(await listenAcp(agent, { ...far, paths: "spec" })).url, { ...near, paths: "spec" })),
  "dialAcp, listenAcp over Streamable HTTP": async (near, far) =>
    closing(await dialAcp(closing(await listenAcp(agent, far)).url, near)),
  "dialAcp, listenAcp over WebSockets": async (near, far) =>
    closing(await dialAcp(closing(await listenAcp(agent, far)).url.replace("http", "ws"), near)),
  "dialEca, listenEca": async (near, far) => {
    const path = join(mkdtempSync(join(tmpdir(), "wiring-")), "socket");
    closing(await listenEca(() => agent, { ...far, path }));
    return closing(await dialEca(path, near));
  },
  "dialKaiak, listenKaiak": async (near, far) => {
    const path = join(mkdtempSync(join(tmpdir(), "wiring-")), "socket");
    closing(await listenKaiak(fixer, { ...far, path }));
    return closing(await dialKaiak(path, { ...kaiak, ...near }));
  },
  "dialHelixZed, listenHelixZed": async (near, far) => {
    const host = closing(await listenHelixZed(far));
    closing(dialHelixZed(agent, { url: host.url, sessionId: "s", flushMs: 0, ...near }));
    const session = await host.session("s");
    return session.prompt("hello");
  },
  "dialSman, listenSman": async (near, far) => {
    const backend = closing(await listenSman(far));
    closing(dialSman(tools, { ...site, url: backend.url, ...near }));
    return (await backend.ide()).call("grep_file", { pattern: "x" });
  },
};

it.each(Object.entries(ways))("%s show both sides' messages to onWire", async (_name, exchange) => {
  const seen = new Set<string>();
  const at = (side: string): Options => ({
    ...quiet,
    onWire: (direction) => void seen.add(`${side} ${direction}`),
  });
  await exchange(at("near"), at("far"));
  await expect.poll(() => [...seen].sort(), patient).toEqual(["far in", "far out", "near in", "near out"]);
});

it("listenSmanPlugin shows its messages to onWire", async () => {
  const seen = new Set<string>();
  const onWire = (direction: string): void => void seen.add(direction);
  const { url } = closing(await listenSmanPlugin(tools, { projectKey: "p", onWire, ...quiet }));
  const far = closing(await connectWebSocket(`${url}/ws/agent/chat?sessionId=s&projectKey=p`));
  listen(far);
  const call = { toolName: "grep_file", params: { pattern: "x", projectKey: "p", webSocketSessionId: "w" } };
  void far.send(JSON.stringify({ type: "TOOL_CALL", toolCallId: "t", webSocketSessionId: "w", ...call }));
  await expect.poll(() => [...seen].sort(), patient).toEqual(["in", "out"]);
});

/** The ways in by a command; the program writes what its own `onWire` is called with to stderr. */
const spawns: Record<
  string,
  (argv: string[], options: AcpClientOptions & { onStderr(text: string): void }) => unknown
> = {
  acp: async (argv, options) => closing(await spawnAcp(argv, options)),
  eca: async (argv, options) => closing(await spawnEca(argv, options as object)),
  kaiak: async (argv, options) => closing(await spawnKaiak(argv, { ...kaiak, ...(options as object) })),
};

it.each<[string, (argv: never) => unknown]>([
  ["spawnAcp", spawnAcp],
  ["spawnEca", spawnEca],
  ["spawnKaiak", spawnKaiak],
])("%s names itself and what it expects when it gets no command", async (name, spawn) => {
  for (const argv of [[], "", [""], "my-agent", undefined]) {
    const expected = 'expected a command and its arguments, such as ["my-agent", "--acp"]';
    const error = new TypeError(`${name}: ${expected}, received ${JSON.stringify(argv)}`);
    await expect(spawn(argv as never)).rejects.toThrow(error);
  }
});

it.each(Object.entries(spawns))("spawn and serve on stdio show the messages of %s to onWire", async (name, spawn) => {
  const seen = new Set<string>();
  let stderr = "";
  await spawn([process.execPath, wired, name], {
    onWire: (direction) => void seen.add(direction),
    onStderr: (text) => (stderr += text),
    ...quiet,
  });
  expect([...seen].sort()).toEqual(["in", "out"]);
  await expect.poll(() => stderr, patient).toMatch(/wire in\n[^]*wire out\n/);
});

function closing<T extends { close(): Promise<unknown> }>(opened: T): T {
  onTestFinished(async () => void (await opened.close()));
  return opened;
}
