import { isObject } from "@editwire/core";
import type { Rewrite } from "../../../core/protocol.js";
import type { ServerBehavior } from "../reference/server-behavior.js";

/** Changes the content of a `chat/contentReceived` as an override of the reference's `contents` says. */
export const rewriteContent: Rewrite = (override, message) => {
  const { method, params } = message;
  if (method !== "chat/contentReceived" || !isObject(params) || !isObject(params["content"])) return [message];
  const contents = (override as ServerBehavior["contents"])(String(params["role"]), params["content"]);
  return contents.map(({ role, content }) => ({ ...message, params: { ...params, role, content } }));
};
