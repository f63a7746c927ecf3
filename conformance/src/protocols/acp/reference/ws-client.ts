import { WebSocket } from "ws";
import { FrameCutter } from "../../../wire/framing.js";
import type { PipeEnd, PipeEvents } from "../../../wire/pipe.js";

/** Every decision of the reference client's WebSocket side, as the proposal of version 1 wants it. */
export const rightWsClient = {
  /** The URL that is dialed, by the agent's. */
  dials: (url: string): string => url,
  /** Whether messages are sent as binary messages. */
  binary: false,
  /** Whether binary messages are ignored. */
  ignoresBinary: true,
};

/** The switches of the client's WebSocket side. */
export type WsClientBehavior = typeof rightWsClient;

/** One end of a pipe to an agent on a WebSocket. */
export function wsClientPipe(url: string, patch: Partial<WsClientBehavior> = {}): PipeEnd {
  const { dials, binary, ignoresBinary } = { ...rightWsClient, ...patch };
  const socket = new WebSocket(dials(url), { perMessageDeflate: false });
  const cutter = new FrameCutter();
  const opened = new Promise<void>((resolve) => socket.once("open", resolve));
  const whenOpen = (action: () => void): void => void opened.then(action);
  return {
    listen(events: PipeEvents) {
      socket.on("message", (data, isBinary) => {
        if (!isBinary) return events.data(Buffer.from(`${String(data)}\n`));
        if (!ignoresBinary) socket.terminate();
      });
      socket.on("error", () => {});
      socket.once("close", () => events.end());
    },
    write(chunk) {
      for (const cut of cutter.push(chunk)) {
        if (cut.ok) whenOpen(() => socket.send(JSON.stringify(cut.message), { binary }));
      }
    },
    end: () => whenOpen(() => socket.close(1000)),
    destroy: () => socket.terminate(),
  };
}
