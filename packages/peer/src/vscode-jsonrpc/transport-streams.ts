import type { WireError } from "@editwire/core/errors";
import type { Transport } from "@editwire/transport";
import { Emitter, type Message, type MessageReader, type MessageWriter, type PartialMessageInfo } from "vscode-jsonrpc";
import { replyForLost } from "../json-rpc/lost.js";
import { type GuardOptions, guardStreams, type MessageStreams } from "./guard.js";
import { macrotasks } from "./macrotasks.js";

/** A transport in the form that vscode-jsonrpc expects. */
export interface TransportStreams extends MessageStreams {
  /**
   * Resolves with the reason after the transport has closed, from either end; for a child process, the reason says how
   * it ended.
   */
  readonly closed: Promise<WireError>;
}

/**
 * Offers a transport as a reader and a writer for `createMessageConnection` of vscode-jsonrpc, guarded as
 * `guardStreams` does it. The transport determines framing, limits and the end. It reads no faster than the connection
 * takes messages out of its queue; `connection.end()` flushes and closes it.
 */
export function transportStreams(transport: Transport, options: GuardOptions = {}): TransportStreams {
  const errors = new Emitter<Error>();
  const writeErrors = new Emitter<[Error, Message | undefined, number | undefined]>();
  const closes = new Emitter<void>();
  let resolveClosed = (_reason: WireError): void => {};
  const closed = new Promise<WireError>((resolve) => (resolveClosed = resolve));
  let failures = 0;

  const reader: MessageReader = {
    onError: errors.event,
    onClose: closes.event,
    onPartialMessage: new Emitter<PartialMessageInfo>().event,
    listen(callback) {
      transport.start({
        message(value) {
          callback(value as Message);
          return macrotasks(1);
        },
        malformed(error, value) {
          const reply = replyForLost(error, value);
          if (reply !== undefined) callback(reply as Message);
          else errors.fire(error);
        },
        closed(reason) {
          resolveClosed(reason);
          closes.fire();
        },
      });
      return { dispose() {} };
    },
    dispose() {
      errors.dispose();
      closes.dispose();
    },
  };

  const writer: MessageWriter = {
    onError: writeErrors.event,
    onClose: closes.event,
    async write(message) {
      try {
        await transport.send(JSON.stringify(message));
      } catch (error) {
        writeErrors.fire([error as Error, message, ++failures]);
        throw error;
      }
    },
    end: () => void transport.close(),
    dispose: () => writeErrors.dispose(),
  };

  return { ...guardStreams({ reader, writer }, options), closed };
}
