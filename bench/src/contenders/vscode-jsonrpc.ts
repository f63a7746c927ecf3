import {
  AbstractMessageReader,
  AbstractMessageWriter,
  createMessageConnection,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-jsonrpc/node";
import { callMethods } from "../messages.js";
import type { Contender, Handlers, Link, Update } from "./contender.js";
import { overStreams } from "./over-streams.js";
import type { TextSocket } from "./web-sockets.js";

/** vscode-jsonrpc with its own reader and writer, which frame with Content-Length. */
export const contender: Contender = overStreams(
  (readable, writable, handlers) =>
    attach(new StreamMessageReader(readable), new StreamMessageWriter(writable), handlers),
  (socket, handlers) => attach(new SocketReader(socket), new SocketWriter(socket), handlers),
);

function attach(reader: MessageReader, writer: MessageWriter, handlers: Handlers): Link {
  const connection = createMessageConnection(reader, writer);
  const link: Link = {
    call: (method, params) => connection.sendRequest(method, params),
    update: (params) => connection.sendNotification("session/update", params),
    close: () => connection.dispose(),
  };
  for (const method of callMethods)
    connection.onRequest(method, (params: unknown) => handlers.call(method, params, link));
  connection.onNotification("session/update", (params: Update) => handlers.update(params));
  connection.listen();
  return link;
}

class SocketReader extends AbstractMessageReader implements MessageReader {
  readonly #socket: TextSocket;

  constructor(socket: TextSocket) {
    super();
    this.#socket = socket;
  }

  listen(callback: DataCallback): Disposable {
    this.#socket.onText((text) => callback(JSON.parse(text) as Message));
    return { dispose() {} };
  }
}

class SocketWriter extends AbstractMessageWriter implements MessageWriter {
  readonly #socket: TextSocket;

  constructor(socket: TextSocket) {
    super();
    this.#socket = socket;
  }

  async write(message: Message): Promise<void> {
    await this.#socket.send(JSON.stringify(message));
  }

  end(): void {}
}
