import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { isObject } from "@editwire/core";
import { WebSocket } from "ws";
import { type Control, type Link, type OpenOptions, type Target, TargetError } from "./link.js";
import { alarm } from "../core/talk/time.js";
import { freshName, type WsPaths, wsUrl } from "./ws-address.js";
import { anyLength, type WsClose, type WsOther, wsLink } from "./ws-link.js";

/** How a WebSocket target is reached. */
export interface WsTargetOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly protocols?: readonly string[] | undefined;
  /** A suffix for the URL, with an id of its own for every connection. */
  readonly paths?: WsPaths | undefined;
  /** Steers a target that acts of its own accord. */
  readonly control?: Control | undefined;
}

const CONNECT_MS = 10_000;

/** A target that listens for WebSockets. Every `open` is a connection of its own. */
export function wsTarget(options: WsTargetOptions): Target {
  return { transport: "ws", description: options.url, open: (open) => openWs(options, open) };
}

/** Dials a WebSocket of a target. Rejects with `TargetError`. */
export async function openWs(
  { url: base, headers = {}, protocols = [], paths, control }: WsTargetOptions,
  options: OpenOptions,
): Promise<Link> {
  const url = paths === undefined ? base : wsUrl(base, paths, freshName());
  const id = paths && (new URL(url).searchParams.get(paths.id) ?? undefined);
  const dial = (more: Readonly<Record<string, string>> = headers, at = url): WebSocket =>
    new WebSocket(at, [...protocols], {
      headers: more,
      perMessageDeflate: false,
      handshakeTimeout: CONNECT_MS,
      autoPong: false,
      ...anyLength,
    });
  let headersOfAnswer: IncomingHttpHeaders = {};
  // A message that a server sends right behind its handshake arrives in the same turn: listen before anything else.
  const opened = async (socket: WebSocket): Promise<void> => {
    await new Promise<void>((resolve, reject) => {
      socket.once("open", resolve);
      socket.once("error", (error) =>
        reject(new TargetError(`cannot connect to ${url}: ${error.message}`, { cause: error })),
      );
    });
    options.trace.add({ kind: "event", from: "suite", name: "open", data: { url, protocol: socket.protocol } });
  };
  const socket = dial();
  socket.once("upgrade", (response) => (headersOfAnswer = response.headers));
  const link = wsLink(socket, options, {
    ...(id !== undefined && { id }),
    authorized: Object.keys(headers).some((name) => name.toLowerCase() === "authorization"),
    next(adopt) {
      const coming = dial();
      adopt(coming);
      return opened(coming);
    },
    answered: () => headersOfAnswer,
    another: (query) => otherOf(dial(headers, query && withQuery(url, query)), url),
    attempt: (more) => statusOf(dial(more)),
    knock: (query, ms) => closeOf(dial(headers, withQuery(url, query)), ms),
  });
  await opened(socket);
  return { ...link, ...(control && { control }) };
}

function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const other = new URL(url);
  other.search = new URLSearchParams(query).toString();
  return other.href;
}

/** A further connection, when it is open. */
async function otherOf(socket: WebSocket, url: string): Promise<WsOther> {
  const heard: string[] = [];
  socket.on("message", (data) => heard.push(String(data)));
  const [[{ headers }]] = (await Promise.all([once(socket, "upgrade"), once(socket, "open")]).catch((error: Error) => {
    throw new TargetError(`cannot connect to ${url} again: ${error.message}`, { cause: error });
  })) as [[IncomingMessage], unknown];
  return {
    headers,
    heard,
    ask: (request) =>
      new Promise((resolve) => {
        socket.on("message", (data) => {
          const message = JSON.parse(String(data)) as unknown;
          if (isObject(message) && message["id"] === request.id) resolve(message);
        });
        socket.send(JSON.stringify({ jsonrpc: "2.0", ...request }));
      }),
    close: () => socket.terminate(),
  };
}

/** The status that answers an upgrade; a connection that opens nevertheless is closed. */
function statusOf(socket: WebSocket): Promise<number> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => {
      socket.terminate();
      resolve(101);
    });
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once("error", reject);
  });
}

/** The close of the other end, or the status with which it refuses; `undefined` when there is none in time. */
function closeOf(socket: WebSocket, ms: number): Promise<WsClose | undefined> {
  return new Promise((resolve) => {
    socket.once("open", () => {
      const stop = alarm(ms, () => {
        resolve(undefined);
        socket.terminate();
      });
      socket.once("close", (code, reason) => {
        stop();
        resolve({ code, reason: reason.toString("utf8") });
      });
    });
    socket.once("unexpected-response", (request, response) => {
      request.destroy();
      resolve({ code: response.statusCode ?? 0, reason: response.statusMessage ?? "" });
    });
    socket.once("error", ({ message }) => resolve({ code: 1006, reason: message }));
  });
}
