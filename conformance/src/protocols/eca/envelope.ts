import { isObject } from "@editwire/core";
import type { Envelope } from "../../core/talk/message.js";
import { jsonRpc } from "../../monitors/jsonrpc.js";

/** JSON-RPC 2.0, but for null in place of absent params, as Emacs writes them: a monitor of its own judges that. */
export const envelope: Envelope = {
  ...jsonRpc,
  classify(message) {
    if (!isObject(message) || message["params"] !== null) return jsonRpc.classify(message);
    const { params: _, ...others } = message;
    return jsonRpc.classify(others);
  },
};
