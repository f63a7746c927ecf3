import { isWireError } from "@editwire/core/errors";
import { answerToLost, replyForLost } from "@editwire/peer";
import type { Transport as Wire } from "@editwire/transport";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/**
 * One of our transports for the official SDK. Unlike the SDK's own, it reads messages behind noise without a line
 * break. A call whose answer cannot be read fails at once, and so does a call of the peer that cannot be read.
 * `onerror` is called with what is lost, with why the wire closed if that is a failure, and with the end of a program.
 */
export function sdkTransport(wire: Wire): Transport {
  const send = async (message: JSONRPCMessage): Promise<void> => await wire.send(JSON.stringify(message));
  const transport: Transport = {
    async start() {
      wire.start({
        message: (value) => transport.onmessage?.(value as JSONRPCMessage),
        malformed(error, value) {
          const reply = replyForLost(error, value);
          if (reply !== undefined) return transport.onmessage?.(reply);
          const answer = answerToLost(error, value);
          if (answer !== undefined) send(answer).catch(() => {}); // the close is reported by itself
          transport.onerror?.(error);
        },
        closed(reason) {
          if (wire.program !== undefined || !isWireError(reason, "closed")) transport.onerror?.(reason);
          transport.onclose?.();
        },
      });
    },
    send,
    close: () => wire.close(),
  };
  return transport;
}
