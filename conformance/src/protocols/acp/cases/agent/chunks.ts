import { isObject } from "@editwire/core";
import type { Incoming } from "../../../../core/talk/talk.js";

/** The agent's text, in any number of chunks. */
export function textOfChunks(updates: readonly Incoming[]): string {
  return updates
    .map(({ params: { update } }) =>
      isObject(update) && update["sessionUpdate"] === "agent_message_chunk" ? textOf(update["content"]) : "",
    )
    .join("");
}

function textOf(content: unknown): string {
  return isObject(content) && typeof content["text"] === "string" ? content["text"] : "";
}
