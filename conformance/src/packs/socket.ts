import type { Talk } from "../core/talk.js";
import type { WsExtras } from "../wire/ws-link.js";

/** What is possible on a WebSocket alone. */
export function socketOf(talk: Talk): WsExtras {
  return talk.conversation.link.extras as WsExtras;
}

/** Resolves when the target has read everything that was sent before. */
export async function allRead(talk: Talk): Promise<void> {
  const pong = talk.expect.event("pong");
  socketOf(talk).ping();
  await pong;
}
