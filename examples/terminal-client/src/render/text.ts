import type { ContentBlock, StopReason } from "@editwire/acp-schema";
import { oneLine } from "./sanitize.js";

/** One line that stands for content that a terminal cannot show. */
export function describeContent(content: ContentBlock): string {
  const { type, name, uri, mimeType, data, resource } = content as Record<string, unknown>;
  const embedded = isRecord(resource) ? resource : {};
  const facts = [name, uri ?? embedded["uri"], mimeType ?? embedded["mimeType"], sizeOf(data)].filter(
    (fact) => typeof fact === "string",
  );
  return oneLine(`[${[String(type), ...facts].join(" ")}]`);
}

/** How a turn ended, in words. */
export function describeStop(stopReason: StopReason): string {
  switch (stopReason) {
    case "end_turn":
      return "done";
    case "max_tokens":
      return "stopped: the token limit is reached";
    case "max_turn_requests":
      return "stopped: the limit of model requests is reached";
    case "refusal":
      return "the agent refuses to go on";
    case "cancelled":
      return "cancelled";
    default:
      return `stopped: ${oneLine(String(stopReason))}`;
  }
}

/** A duration for people: `0.8 s`, `12.3 s`, `2 min 05 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, "0")} s`;
}

/** `1 tool call`, `2 tool calls`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sizeOf(base64: unknown): string | undefined {
  return typeof base64 === "string" ? `${Math.round((base64.length * 3) / 4 / 1024)} KiB` : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
