import { setTimeout as sleep } from "node:timers/promises";

/** Milliseconds between two attempts to connect. */
const pauseMs = 200;

/** Connects as soon as the other side is there. */
export async function connected<T>(connect: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await connect();
    } catch {
      await sleep(pauseMs);
    }
  }
}
