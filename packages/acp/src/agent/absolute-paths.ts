import type { SessionUpdate, ToolCallUpdate } from "@editwire/acp-schema";
import { isObject, mapField, mapItems } from "@editwire/core";

/** On POSIX (`/a`) or on Windows (`C:\a`, `\\host\share`). */
const isAbsolute = (path: string): boolean => /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path);

/** A tool call whose files are named by absolute paths, and lines from 1 on, as the protocol demands. */
export function absoluteCall<Call extends ToolCallUpdate>(call: Call, cwd: string): Call {
  const located = mapField(call, "locations", (list) => mapItems(list, (item) => absoluteLocation(item, cwd)));
  return mapField(located, "content", (list) => mapItems(list, (item) => absoluteContent(item, cwd))) as Call;
}

/** As `absoluteCall`, for any update. */
export function absoluteUpdate(update: SessionUpdate, cwd: string): SessionUpdate {
  const isCall = update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update";
  return isCall ? absoluteCall(update, cwd) : update;
}

function absoluteLocation(location: unknown, cwd: string): unknown {
  const named = withAbsolutePath(location, cwd);
  if (!isObject(named) || named["line"] === undefined) return named;
  const { line, ...others } = named;
  return (line as number) < 1 ? others : named;
}

function absoluteContent(item: unknown, cwd: string): unknown {
  return isObject(item) && item["type"] === "diff" ? withAbsolutePath(item, cwd) : item;
}

function withAbsolutePath(value: unknown, cwd: string): unknown {
  return mapField(value, "path", (path) => (typeof path === "string" ? absolutePath(path, cwd) : path));
}

function absolutePath(path: string, cwd: string): string {
  if (isAbsolute(path)) return path;
  const separator = cwd.startsWith("/") ? "/" : "\\";
  return `${cwd.replace(/[\\/]+$/, "")}${separator}${path.replace(/^(?:\.[\\/])+/, "")}`;
}
