import type { KaiakTraits } from "@editwire/kaiak-schema";
import { type JsonRpcOptions, languageServerCancel } from "@editwire/peer";

/**
 * How a dialect uses JSON-RPC: its route, and the cancel message of language servers unless it has one of its own. The
 * traits are read with each message, because a client may find out the dialect while the connection runs.
 */
export function kaiakWire(traits: () => KaiakTraits): Pick<JsonRpcOptions, "route" | "cancel"> {
  return {
    route: {
      wrap: (method, params) => traits().route.wrap(method, params),
      unwrap: (method, params) => traits().route.unwrap(method, params),
    },
    cancel: {
      ...languageServerCancel,
      params: (id) => (traits().cancel === undefined ? languageServerCancel.params(id) : undefined),
    },
  };
}

let second = NaN;
let written = "";

/**
 * The time now, as the specification writes times. The text of the current second is kept: each notification has it.
 */
export function now(): string {
  const current = Math.floor(Date.now() / 1_000);
  if (current !== second) {
    second = current;
    written = `${new Date(current * 1_000).toISOString().slice(0, 19)}Z`;
  }
  return written;
}
