import type { AcpTraits } from "@editwire/acp-schema";
import { isObject, type RequestId } from "@editwire/core";
import type { CancelMessage } from "@editwire/peer";

/** The message that cancels a request in version 1. Nothing is sent in a dialect without it. */
export function cancelRequest(traits: () => AcpTraits): CancelMessage {
  return {
    method: "$/cancel_request",
    params: (requestId) => (traits().cancelsRequests ? { requestId } : undefined),
    idOf: (params) => requestIdIn(params),
  };
}

function requestIdIn(params: unknown): RequestId | undefined {
  const id = isObject(params) ? params["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
