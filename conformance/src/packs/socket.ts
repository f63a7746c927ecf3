import type { CaseContext } from "../core/run/context.js";
import type { Talk } from "../core/talk/talk.js";
import type { WsExtras } from "../wire/ws-link.js";

/** The operations that only a WebSocket has. */
export function socketOf(talk: Talk): WsExtras {
  return talk.conversation.link.extras as WsExtras;
}

/** Resolves when the target has read everything that was sent before. */
export async function allRead(talk: Talk): Promise<void> {
  const pong = talk.expect.event("pong");
  socketOf(talk).ping();
  await pong;
}

/** Milliseconds for a further pong, after one without the data of the ping. */
const PONG_MS = 1_000;

/**
 * Pings with data, and gives those of the pongs that follow, until these data come back. A peer may also send pongs
 * that answer no ping. Rejects with an `ExpectationError` when there is no pong.
 */
async function pongsTo(talk: Talk, data: string): Promise<readonly string[]> {
  const first = talk.expect.event("pong");
  socketOf(talk).ping(data);
  const pongs = [await first];
  for (let last = pongs[0]; last !== undefined && last.data !== data; ) {
    last = await talk.expect.event("pong", { after: last.seq, deadline: PONG_MS }).catch(() => undefined);
    if (last !== undefined) pongs.push(last);
  }
  return pongs.map((pong) => String(pong.data ?? ""));
}

/** The case in which pings with data come back, for a table of cases. */
export function pingData(requirement: string) {
  return {
    title: "a pong has the data of its ping",
    emits: [requirement],
    async run(t: CaseContext): Promise<void> {
      for (const data of ["1767686721056", "ping 漢字"]) {
        const pongs = await pongsTo(t, data);
        t.check(requirement, pongs.includes(data), { expected: data, actual: pongs });
      }
    },
  };
}
