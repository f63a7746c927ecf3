import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { HelixZedEvent, HelixZedTurn, HelixZedTurnEvent, HelixZedInteraction } from "../../src/index.js";
import { type HelixZedHandler, helixZedHandler, type HelixZedHandlerOptions, syncPath } from "../../src/node.js";
import { type Frame, dialRaw, type RawSocket } from "../../../transport/test/raw-socket.js";

/** A host behind an HTTP server of this process. */
export interface TestHost {
  readonly host: HelixZedHandler;
  readonly port: number;
  readonly events: HelixZedEvent[];
  readonly oddities: string[];
  readonly errors: unknown[];
  /** Dials as a raw agent, and waits until the host has noticed. */
  dial(sessionId?: string, headers?: Record<string, string>): Promise<RawSocket>;
  /** Resolves at the next event of this type. */
  event(type: HelixZedEvent["type"]): Promise<HelixZedEvent>;
}

export async function startHost(options: HelixZedHandlerOptions = {}): Promise<TestHost> {
  const events: HelixZedEvent[] = [];
  const oddities: string[] = [];
  const errors: unknown[] = [];
  const waiting: { type: string; resolve: (event: HelixZedEvent) => void }[] = [];
  const host = helixZedHandler({
    onDiagnostic: ({ id }) => void oddities.push(id),
    onError: (error) => void errors.push(error),
    ...options,
    onEvent(event) {
      events.push(event);
      for (const one of waiting.splice(0)) {
        if (one.type === event.type) one.resolve(event);
        else waiting.push(one);
      }
    },
  });
  const server = createServer((_request, response) => response.end("the product's own page"));
  server.on("upgrade", (request, socket, head) => {
    if (!host.upgrade(request, socket, head)) socket.end("HTTP/1.1 418 Another Listener\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await host.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const event = (type: HelixZedEvent["type"]): Promise<HelixZedEvent> =>
    new Promise((resolve) => waiting.push({ type, resolve }));
  return {
    host,
    port,
    events,
    oddities,
    errors,
    event,
    async dial(sessionId = "ses_1", headers = {}) {
      const connected = event("connected");
      const raw = await dialRaw(
        `ws://127.0.0.1:${port}${syncPath}?session_id=${encodeURIComponent(sessionId)}`,
        headers,
      );
      await connected;
      return raw;
    },
  };
}

/** Reads an interaction to its end. */
export async function readAll(
  interaction: HelixZedTurn,
): Promise<{ events: HelixZedTurnEvent[]; end: HelixZedInteraction }> {
  const events: HelixZedTurnEvent[] = [];
  for await (const event of interaction) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "stop") throw new Error("the interaction has no end");
  return { events, end: last.interaction };
}

type Fields = Record<string, unknown>;

/** An agent's messages, as the specification shows them; undefined takes a field out. */
export const says = {
  created: (thread: string, session = "ses_1"): unknown => ({
    session_id: session,
    event_type: "context_created",
    data: { acp_thread_id: thread, helix_session_id: session },
  }),
  added: (
    thread: string,
    content: string,
    message_id = "m1",
    extra: Fields = {},
    session: string | undefined = "ses_1",
  ): unknown => ({
    session_id: session,
    event_type: "message_added",
    data: { acp_thread_id: thread, message_id, role: "assistant", content, timestamp: 1_759_410_084, ...extra },
  }),
  completed: (
    thread: string,
    request_id: unknown,
    extra: Fields = {},
    session: string | undefined = "ses_1",
  ): unknown => ({
    session_id: session,
    event_type: "message_completed",
    data: { acp_thread_id: thread, message_id: "m1", request_id, ...extra },
  }),
  event: (event_type: string, data: Fields): unknown => ({ event_type, data }),
};

/** Answers a chat_message in full. */
export function answer(raw: RawSocket, { data }: Frame, thread: string, content: string): void {
  const session = String(data["helix_session_id"]);
  if (data["acp_thread_id"] === null) raw.send(says.created(thread, session));
  raw.send(says.added(thread, content, `m-${String(data["request_id"])}`, {}, session));
  raw.send(says.completed(thread, data["request_id"], {}, session));
}
