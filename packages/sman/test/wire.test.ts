import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WebSocket } from "ws";
import { dialRaw } from "../../transport/test/raw-socket.js";
import { dialSman, listenSman } from "../src/node.js";
import { answer, query, result, startBackend } from "./support/backends.js";
import { ask, call, startPlugin } from "./support/plugins.js";

const echo = { grep_file: ({ pattern }: { pattern: string }) => `found ${pattern}` };
const grep = { pattern: "TODO" };

/** The code and the reason with which a connection is closed. */
async function closeOf(url: string): Promise<string> {
  const socket = new WebSocket(url);
  const [code, reason] = (await once(socket, "close")) as [number, Buffer];
  return `${code} ${reason.toString()}`;
}

/** Everything up to `size` bytes of a message in fragments. */
function sendInFragments(socket: WebSocket, text: string, size: number): void {
  for (let at = 0; at < text.length; at += size)
    socket.send(text.slice(at, at + size), { fin: at + size >= text.length });
}

describe("a backend", () => {
  it("takes the plugin of the specification's URL, and leaves other paths alone (C22)", async () => {
    const { dial, port } = await startBackend();
    const { ide } = await dial("sessionId=test-123&projectKey=autoloop");
    expect(ide).toMatchObject({ sessionId: "test-123", projectKey: "autoloop", mode: "agent" });
    await expect(dialRaw(`ws://127.0.0.1:${port}/elsewhere?${query}`)).rejects.toThrow("418");
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("the product's own page");
  });

  it("closes a connection without sessionId or projectKey with 1003 (C23)", async () => {
    const { url } = await startBackend();
    expect(await closeOf(url)).toMatch(/^1003 INVALID_SESSION/);
    expect(await closeOf(`${url}?projectKey=p`)).toMatch(/^1003 INVALID_SESSION/);
    expect(await closeOf(`${url}?sessionId=&projectKey=p`)).toMatch(/^1003 INVALID_SESSION/);
    expect(await closeOf(`${url}?sessionId=s`)).toMatch(/^1003 INVALID_PARAMS/);
    const strict = await startBackend({ requireUuidSessionId: true });
    expect(await closeOf(`${strict.url}?sessionId=s&projectKey=p`)).toMatch(/^1003 INVALID_SESSION/); // reading 3
    await strict.dial("sessionId=83742e07-6a1b-4c5e-9d2f-0a1b2c3d4e5f&projectKey=p");
    expect(strict.backend.ides).toHaveLength(1);
  });

  it("refuses pages of foreign origins, wrong tokens and too many plugins (C29)", async () => {
    const { url, dial } = await startBackend({ origins: ["https://ide.example"], token: "s3cret", maxConnections: 1 });
    const headers = { authorization: "Bearer s3cret" };
    const refused = (given: Record<string, string>): Promise<unknown> => dialRaw(`${url}?${query}`, given);
    await expect(refused({ ...headers, origin: "https://evil.example" })).rejects.toThrow("403");
    await expect(refused({ ...headers, host: "evil.example" })).rejects.toThrow("403");
    await expect(refused({})).rejects.toThrow("401");
    await expect(refused({ authorization: "Bearer other" })).rejects.toThrow("401");
    await dial(query, { ...headers, origin: "https://ide.example" });
    await expect(refused(headers)).rejects.toThrow("503");
  });

  it("tells plugins of two callers apart that name the same session, in any case of the scheme", async () => {
    const callers: Readonly<Record<string, string>> = { "bearer a": "alice", "BEARER b": "bob" };
    const { dial, url, backend } = await startBackend({
      authenticate: ({ headers }) => callers[headers.get("authorization") ?? ""],
    });
    const alice = await dial(query, { authorization: "bearer a" });
    const bob = await dial(query, { authorization: "BEARER b" });
    await expect(dialRaw(`${url}?${query}`, { authorization: "Bearer c" })).rejects.toThrow("401");
    const { sessionId } = alice.ide;
    expect(bob.ide).toMatchObject({ sessionId, caller: "bob" });
    expect(await backend.ide({ sessionId, caller: "alice" })).toBe(alice.ide);
    expect(await backend.ide({ sessionId })).toBe(bob.ide); // the newest of any caller
    await expect(backend.ide({ sessionId, caller: "carol" }, { timeoutMs: 1 })).rejects.toMatchObject({
      code: "timeout",
    });
  });

  it("reads messages in fragments, and up to 10 MiB; a larger one ends its connection alone (C06)", async () => {
    const { dial } = await startBackend();
    const [one, two] = [await dial(), await dial()];
    const pending = one.ide.call("grep_file", grep);
    const { toolCallId } = await one.raw.next();
    const text = "待".repeat(3 * 1024 * 1024);
    sendInFragments(one.raw.socket, JSON.stringify(result(toolCallId, { success: true, result: text })), 1024 * 1024);
    expect((await pending).result).toBe(text);
    const lost = one.ide.call("grep_file", grep);
    one.raw.send(JSON.stringify(result("x", { success: true, result: "a".repeat(10 * 1024 * 1024) })));
    expect(await one.raw.closed).toBe(1009);
    await expect(lost).rejects.toMatchObject({ code: "closed" });
    const other = two.ide.call("grep_file", grep);
    await answer(two.raw);
    expect((await other).result).toBe("done");
  });

  it("answers ping frames, and keeps a connection that only pings (C07, C26)", async () => {
    const { dial } = await startBackend();
    const { raw, ide } = await dial();
    for (let n = 0; n < 3; n += 1) await raw.settled();
    const done = ide.call("grep_file", grep);
    await answer(raw);
    expect((await done).result).toBe("done");
  });

  it("is not disturbed by half a frame and a reset (C28)", async () => {
    const { dial, port } = await startBackend();
    const { raw, ide } = await dial();
    const tcp = connectTcp(port, "127.0.0.1");
    await once(tcp, "connect");
    const upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13"];
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    tcp.write([`GET /ws/agent/chat?${query} HTTP/1.1`, "Host: localhost", ...upgrade, key, "", ""].join("\r\n"));
    await once(tcp, "data");
    tcp.write(Buffer.from([0x81, 0xff, 0, 0]));
    tcp.resetAndDestroy();
    const done = ide.call("grep_file", grep);
    await answer(raw);
    expect((await done).result).toBe("done");
  });

  it("is for this machine alone, unless there is a token", async () => {
    await expect(listenSman({ host: "0.0.0.0" })).rejects.toThrow("listenSman: expected a token or authenticate");
    const backend = await listenSman();
    await expect(dialRaw(`${backend.url}/elsewhere?${query}`)).rejects.toThrow("404");
    await backend.close();
    await expect(fetch(`http://127.0.0.1:${backend.port}/`)).rejects.toThrow();
  });
});

describe("a plugin", () => {
  it("dials a URL that ends in the path of the backend", async () => {
    const backend = await listenSman();
    onTestFinished(() => backend.close());
    const plugin = dialSman({ tools: {} }, { url: `${backend.url}/ws/agent/chat`, sessionId: "s", projectKey: "p" });
    onTestFinished(() => plugin.close());
    await vi.waitFor(() => expect(backend.ides).toHaveLength(1));
  });

  it("survives everything that is not a message, and serves the next one (C04, C05)", async () => {
    const { backend, diagnostics, errors } = await startPlugin(echo);
    for (const junk of ["not JSON", "[]", "null", "3", "{}", '{"type":7}', '{"type":"HELLO","data":{}}'])
      backend.send(junk);
    backend.send(Buffer.from([1, 2]));
    const extra = {
      ...(call("1", "grep_file", { pattern: "a", newer: 1 }) as object),
      newer: { deep: [1] },
      timestamp: 1,
    };
    expect(await ask(backend, extra)).toMatchObject({ success: true, result: "found a" });
    expect(errors).toHaveLength(2);
    expect(diagnostics.at(-1)?.id).toBe("tagged.unknown-name");
    expect(backend.frames).toHaveLength(1);
  });

  it("reads calls in fragments, and pings frames are answered (C06, C07)", async () => {
    const { backend } = await startPlugin(echo);
    sendInFragments(backend.socket, JSON.stringify(call("1", "grep_file", { pattern: "待办" })), 7);
    expect((await backend.next()).data).toMatchObject({ success: true, result: "found 待办" });
    await backend.settled();
  });

  it("pings a silent backend (C69)", async () => {
    const { backend } = await startPlugin(echo, { pingMs: 50 });
    let pings = 0;
    await new Promise<void>((resolve) => backend.socket.on("ping", () => void (++pings === 3 && resolve())));
    expect(await ask(backend, call("1", "grep_file", { pattern: "a" }))).toMatchObject({ success: true });
  });

  it("says who it is in the URL, behind the path of the URL", async () => {
    const { raw } = await startPlugin(echo, {
      projectPath: "/home/me/a b",
      mode: "ask",
      token: "s3cret",
    });
    const { url = "", headers } = raw.requests[0] ?? {};
    expect(url.split("?")[0]).toBe("/ws/agent/chat");
    expect(Object.fromEntries(new URLSearchParams(url.split("?")[1]))).toEqual({
      sessionId: "test-123",
      projectKey: "autoloop",
      projectPath: "/home/me/a b",
      mode: "ask",
    });
    expect(headers?.authorization).toBe("Bearer s3cret");
    expect(() => dialSman({ tools: {} }, { url: "x", sessionId: "s", projectKey: "p" })).toThrow(
      "dialSman: expected a ws, wss, http or https URL",
    );
    expect(() => dialSman({ tools: {} }, { url: raw.url, sessionId: "", projectKey: "p" })).toThrow("sessionId");
  });

  it("sends nothing after its connection is lost or closed, and its tools are stopped (C68)", async () => {
    const reasons: unknown[] = [];
    const started: (() => void)[] = [];
    const tools = {
      grep_file: (_params: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<string>((resolve) => {
          started.shift()?.();
          signal.addEventListener("abort", () => {
            reasons.push("aborted");
            resolve("too late");
          });
        }),
    };
    const { backend, raw, plugin, errors } = await startPlugin(tools);
    const running = (): Promise<void> => new Promise((resolve) => started.push(resolve));
    const first = running();
    backend.send(call("1", "grep_file", grep));
    await first;
    backend.kill();
    const next = await raw.accept();
    const second = running();
    next.send(call("2", "grep_file", grep));
    await second;
    await plugin.close();
    expect(reasons).toEqual(["aborted", "aborted"]);
    expect([backend.frames, next.frames, errors]).toEqual([[], [], []]);
    expect(plugin.connected).toBe(false);
    expect(() => plugin.notify("PING", {})).toThrow(expect.objectContaining({ code: "not_connected" }));
  });

  it("dials again until it is refused for good", async () => {
    const { raw, backend, states } = await startPlugin(echo);
    backend.kill();
    const next = await raw.accept();
    expect(await ask(next, call("1", "grep_file", { pattern: "a" }))).toMatchObject({ success: true });
    expect(states).toEqual([
      { connected: true },
      { connected: false, reason: expect.objectContaining({ code: "closed" }), retryMs: expect.any(Number) },
      { connected: true },
    ]);
  });

  it.each([
    ["401", { token: "s3cret" }, "set the option `token`"],
    ["403", { hosts: ["backend.example"] }, "the backend's option `hosts`"],
    ["1003", { requireUuidSessionId: true }, "INVALID_SESSION: sessionId is not a UUID"],
  ])("reports once after %s what to correct, and does not dial again", async (_status, options, text) => {
    const { port, backend } = await startBackend(options);
    const errors: Error[] = [];
    const retryMs = await new Promise<number>((resolve) => {
      const plugin = dialSman(
        { tools: echo },
        {
          url: `http://127.0.0.1:${port}`,
          sessionId: "test-123",
          projectKey: "autoloop",
          reconnect: { minMs: 1, maxMs: 1 },
          onError: (error) => void errors.push(error as Error),
          onConnection: (state) => {
            if (!state.connected) resolve(state.retryMs);
          },
        },
      );
      onTestFinished(() => plugin.close());
    });
    expect(retryMs).toBe(Infinity);
    expect(errors).toEqual([
      expect.objectContaining({ code: "not_connected", message: expect.stringContaining(text) }),
    ]);
    expect(backend.ides).toEqual([]);
  });
});
