import { Readable, Writable } from "node:stream";
import {
  agent,
  type AnyMessage,
  client,
  ndJsonStream,
  type SessionNotification,
  type Stream,
} from "@agentclientprotocol/sdk";
import { callMethods } from "../messages.js";
import type { Contender, Handlers, Link, Update } from "./contender.js";
import { overStreams } from "./over-streams.js";
import type { TextSocket } from "./web-sockets.js";

const maxMessageBytes = 1024 * 1024 * 1024;

/**
 * The official SDK of the Agent Client Protocol. The side with handlers for calls is the agent; the other is the
 * client.
 */
export const contender: Contender = overStreams(
  (readable, writable, handlers) =>
    attach(
      ndJsonStream(Writable.toWeb(writable), Readable.toWeb(readable) as ReadableStream<Uint8Array>, {
        maxMessageBytes,
      }),
      handlers,
    ),
  (socket, handlers) => attach(messagesOver(socket), handlers),
);

function attach(stream: Stream, handlers: Handlers): Link {
  return handlers.role === "serves" ? attachAgent(stream, handlers) : attachClient(stream, handlers);
}

function attachClient(stream: Stream, handlers: Handlers): Link {
  const connection = client({ name: "bench" })
    .onNotification("session/update", ({ params }) => handlers.update(params as Update))
    .connect(stream);
  return {
    call: (method, params) => connection.agent.request(method, params),
    update: () => {},
    close: () => connection.close(),
  };
}

function attachAgent(stream: Stream, handlers: Handlers): Link {
  const app = agent({ name: "bench" });
  for (const method of callMethods)
    app.onRequest(
      method,
      (params) => params,
      ({ params }) => handlers.call(method, params, link),
    );
  const connection = app.connect(stream);
  const link: Link = {
    call: (method, params) => connection.client.request(method, params),
    update: (params) => connection.client.notify("session/update", params as SessionNotification),
    close: () => connection.close(),
  };
  return link;
}

function messagesOver(socket: TextSocket): Stream {
  return {
    readable: new ReadableStream<AnyMessage>({
      start: (controller) => socket.onText((text) => controller.enqueue(JSON.parse(text) as AnyMessage)),
    }),
    writable: new WritableStream<AnyMessage>({ write: (message) => socket.send(JSON.stringify(message)) }),
  };
}
