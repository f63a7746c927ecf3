// Whom each listener refuses, as its operator reads it. `transport` tests the texts; this is about the wiring.
import { connect } from "node:net";
import { listenAcp } from "@editwire/acp/node";
import type { Diagnostic } from "@editwire/core";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { listenSman, listenSmanPlugin } from "@editwire/sman/node";
import { expect, it, onTestFinished } from "vitest";

interface Options {
  readonly token: string;
  readonly origins: string[];
  readonly onDiagnostic: (diagnostic: Diagnostic) => void;
}

type Listen = (options: Options) => Promise<{ port: number; close(): Promise<void> }>;

const agent = { prompt: () => Promise.resolve() };
const accept = "Accept: text/event-stream\r\nConnection: close\r\n";
const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
const upgrade = `Connection: Upgrade\r\nUpgrade: websocket\r\n${key}`;

const listeners: readonly [string, Listen, string, string][] = [
  ["listenAcp over Streamable HTTP", (options) => listenAcp(agent, options), "/acp", accept],
  ["listenAcp over WebSockets", (options) => listenAcp(agent, options), "/acp", upgrade],
  [
    "listenAcp over the specification's HTTP",
    (options) => listenAcp(agent, { ...options, paths: "spec" }),
    "/acp/sse?client_id=1",
    accept,
  ],
  ["listenHelixZed", listenHelixZed, "/api/v1/external-agents/sync?session_id=1", upgrade],
  ["listenSman", listenSman, "/ws/agent/chat?sessionId=1&projectKey=p", upgrade],
  [
    "listenSmanPlugin",
    (options) => listenSmanPlugin({ tools: {} }, { ...options, projectKey: "p" }),
    "/ws/agent/chat?sessionId=1&projectKey=p",
    upgrade,
  ],
];

/** The status of the answer to a GET. */
function statusOf(port: number, path: string, headers: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.end(`GET ${path} HTTP/1.1\r\n${headers}\r\n`));
    socket.on("data", (part) => (text += part.toString())).on("close", () => resolve(text.slice(9, 12)));
    socket.on("error", reject);
  });
}

it.each(listeners)("%s reports a refused token, Origin and Host", async (_name, listen, path, headers) => {
  const reports: string[] = [];
  const onDiagnostic = ({ id, message }: Diagnostic): void => void reports.push(`${id} ${message}`);
  const { port, close } = await listen({ token: "s3cret", origins: ["https://app.example"], onDiagnostic });
  onTestFinished(close);
  const ask = (own: string): Promise<string> => statusOf(port, path, `${own}\r\n${headers}`);
  expect(await ask("Host: evil.example")).toBe("403");
  expect(await ask("Host: localhost\r\nOrigin: https://evil.example")).toBe("403");
  expect(await ask("Host: localhost\r\nAuthorization: Bearer wr0ng")).toBe("401");
  expect(reports).toEqual([
    expect.stringContaining('listener.refused 403 this Host is not served here: Host "evil.example"'),
    expect.stringContaining('listener.refused 403 this Origin may not connect: Origin "https://evil.example"'),
    expect.stringContaining("listener.refused 401 a bearer token is required: another token was sent"),
  ]);
  expect(reports.join()).not.toMatch(/s3cret|wr0ng/);
});
