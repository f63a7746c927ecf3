import { cut, fieldsOf, type Short } from "./short.js";

/** A message of sman in short. */
export function shortSman(message: unknown): Short | undefined {
  const { type, toolName, params, data } = fieldsOf(message);
  if (type === "TOOL_CALL") {
    const { webSocketSessionId: _id, projectKey: _key, ...own } = fieldsOf(params);
    return { text: `${cut(toolName)} ${cut(JSON.stringify(own))}` };
  }
  if (type !== "TOOL_RESULT") return undefined;
  const { success, error, result } = fieldsOf(data);
  return { text: success === false ? `↩ ${cut(error)}` : `↩ ${String(result).split("\n").length} lines` };
}
