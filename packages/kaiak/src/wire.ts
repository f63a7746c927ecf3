import { isObject, type RequestId } from "@editwire/core";
import { kaiakRoute } from "@editwire/kaiak-schema";
import type { JsonRpcOptions } from "@editwire/peer";

/** How Kaiak uses JSON-RPC: commands inside `workspace/executeCommand`, and the cancel message of language servers. */
export const kaiakWire: Pick<JsonRpcOptions, "route" | "cancel"> = {
  route: kaiakRoute,
  cancel: {
    method: "$/cancelRequest",
    params: (id) => ({ id }),
    idOf(params) {
      const id = isObject(params) ? params["id"] : undefined;
      return typeof id === "string" || typeof id === "number" ? (id as RequestId) : undefined;
    },
  },
};

/** The time now, as the specification writes times. */
export function now(): string {
  return `${new Date().toISOString().slice(0, 19)}Z`;
}
