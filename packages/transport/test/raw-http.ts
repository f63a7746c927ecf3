import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A connection that speaks HTTP by hand. */
export interface RawHttp {
  readonly socket: Socket;
  write(text: string): void;
  /** Resolves with everything that came once it fits. */
  until(wanted: RegExp): Promise<string>;
  /** Resolves with everything that came once the other end has closed. */
  readonly closed: Promise<string>;
}

/** Connects, and sends the text at once. */
export function rawHttp(port: number, text = ""): RawHttp {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  let received = "";
  const closed = new Promise<string>((resolve) => {
    socket.on("error", () => {}).on("close", () => resolve(received));
  });
  socket.on("data", (part: string) => (received += part));
  socket.write(text);
  return {
    socket,
    closed,
    write: (more) => void socket.write(more),
    async until(wanted) {
      while (!wanted.test(received)) await new Promise((resolve) => socket.once("data", resolve));
      return received;
    },
  };
}

/** A request as text. */
export function requestText(head: string, headers: Record<string, string> = {}, body = ""): string {
  const lines = Object.entries({ host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}`);
  return `${[`${head} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n${body}`;
}
