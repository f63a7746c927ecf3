import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { firstLine } from "../../scripts/testing/lines.js";
import { acp, helixZed, launchTarget, runConformance, sman, wsSeat } from "../src/index.js";
import { referenceOf } from "../src/mutants/references.js";
import { rewriterOf } from "../src/mutants/rewriter.js";
import { conf } from "./conf.js";
import { bin } from "./programs.js";

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** An agent of ACP on a WebSocket that answers every request with its version. */
async function listeningAgent(): Promise<{ url: string; dialed: Record<string, unknown>[] }> {
  const dialed: Record<string, unknown>[] = [];
  const server = new WebSocketServer({
    host: "127.0.0.1",
    port: 0,
    handleProtocols: () => "acp.v1",
    verifyClient: ({ req }: { req: IncomingMessage }, answer: (ok: boolean, code?: number) => void) =>
      req.headers.authorization === "Bearer s3cret" ? answer(true) : answer(false, 401),
  });
  ending.push(() => server.close());
  await once(server, "listening");
  server.on("connection", (socket, { url }) => {
    socket.send(`{"jsonrpc":"2.0", "method":"hello"}`);
    socket.on("message", (data) => {
      const { id } = JSON.parse(String(data)) as { id?: number };
      if (id === undefined) return socket.close(4001, "enough");
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }));
    });
    socket.on("ping", (data) => dialed.push({ url, pinged: String(data) }));
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/acp?team=7`, dialed };
}

/** The suite as a process that prints where to dial. */
async function middle(...flags: readonly string[]): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(bin[0], [bin[1], "mutate", ...flags], { stdio: ["ignore", "pipe", "pipe"] });
  ending.push(() => child.kill("SIGKILL"));
  const url = await firstLine(child.stdout);
  return { url, child };
}

const textOf = async ([data]: [unknown]): Promise<unknown> => JSON.parse(String(data)) as unknown;

describe("a mutant as a man in the middle of a WebSocket", () => {
  test("breaks an agent of ACP that listens, and passes on everything else", async () => {
    const { url: connect, dialed } = await listeningAgent();
    const { url, child } = await middle("acp", "--role", "agent", "--mutant", "other-version", "--connect", connect);
    expect(new URL(url).pathname + new URL(url).search).toBe("/acp?team=7");
    const refused = once(new WebSocket(url), "unexpected-response");
    expect(((await refused)[1] as { statusCode: number }).statusCode).toBe(401);

    const socket = new WebSocket(url, ["acp.v1"], { headers: { authorization: "Bearer s3cret" } });
    const hello = once(socket, "message");
    await once(socket, "open");
    expect(socket.protocol).toBe("acp.v1");
    expect(String((await hello)[0])).toBe(`{"jsonrpc":"2.0", "method":"hello"}`);
    const answer = once(socket, "message") as Promise<[unknown]>;
    socket.ping("there?");
    expect(String((await once(socket, "pong"))[0])).toBe("there?");
    expect(dialed).toEqual([{ url: "/acp?team=7", pinged: "there?" }]);
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }));
    expect(await textOf(await answer)).toEqual({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 2 } });
    const closed = once(socket, "close");
    socket.send(JSON.stringify({ jsonrpc: "2.0", method: "session/cancel" }));
    const [code, reason] = (await closed) as [number, Buffer];
    expect([code, String(reason)]).toEqual([4001, "enough"]);

    const said = text(child.stderr ?? Readable.from([]));
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await said).split("\n")).toEqual([
      expect.stringMatching(/^acp\.agent\/other-version: breaks ACP-INIT-001: \w+/),
      "acp.agent/other-version: changed message 2",
      `  from {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}`,
      `  to   {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":2}}`,
      "acp.agent/other-version: changed 1 of 2 messages",
      "",
    ]);
  });

  test.each([
    [helixZed, "agent", "helix-zed.agent/no-json", "helix-zed.agent.turn.text"],
    [sman, "plugin", "sman.plugin/binary-frames", "sman.plugin.calls.ids"],
  ] as const)(
    "breaks a program of $name that dials, and the suite notices it",
    async (protocol, role, id, filter) => {
      const mutant = protocol.mutants.find((one) => one.id === id);
      const program = [...bin, "reference", protocol.name, "--role", role];
      const between = [...bin, "mutate", protocol.name, "--role", role, "--mutant", id, "--connect", "{url}"];
      const run = (argv: readonly string[]) =>
        runConformance({
          protocol,
          role,
          target: launchTarget({ argv, seat: wsSeat(protocol.ws) }),
          behaviors: "commands",
          filter: [filter],
          seed: 1,
        });
      const right = await run(program);
      expect(right.cases.map(({ verdict }) => verdict)).toContain("pass");
      expect(right.cases.map(({ verdict }) => verdict)).not.toContain("fail");
      const { cases } = await run([...between, "--", ...program]);
      const failed = cases.flatMap(({ checks }) => checks).filter(({ verdict }) => verdict === "fail");
      expect(mutant?.violates).toContain(failed[0]?.req);
    },
    60_000,
  );

  test("needs to know who listens", async () => {
    const flags = ["mutate", "helix-zed", "--role", "agent", "--mutant", "binary"];
    expect(await conf(...flags, "--", "true")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--connect"),
    });
    expect(await conf(...flags, "--connect", "http://127.0.0.1:1")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('begins with ws:// or wss://, received "http://127.0.0.1:1"'),
    });
  });

  test("offers what changes messages, and leaves framing to streams", () => {
    const offers = (protocol: typeof acp, role: string, name: string, between: "ws" | "bytes"): boolean => {
      const mutant = protocol.mutants.find(({ id }) => id === name);
      if (mutant === undefined) throw new TypeError(`there is no mutant ${name}`);
      return rewriterOf(mutant, referenceOf(protocol, role), protocol.envelope, between) !== undefined;
    };
    const encodes = acp.mutants.find(({ role, patch }) => role === "agent" && patch !== undefined && "encode" in patch);
    expect(offers(acp, "agent", encodes?.id ?? "", "bytes")).toBe(true);
    expect(offers(acp, "agent", encodes?.id ?? "", "ws")).toBe(false);
    expect(offers(helixZed, "agent", "helix-zed.agent/binary", "ws")).toBe(true);
    expect(offers(helixZed, "agent", "helix-zed.agent/binary", "bytes")).toBe(false);
  });
});
