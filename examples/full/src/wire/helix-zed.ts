import { cut, type Fields, fieldsOf, quoted, type Short } from "./short.js";

const silent: readonly unknown[] = ["ping", "agent_ready"];

/** Makes the messages of one connection of Helix-Zed short. An answer is sent whole each time that it grows. */
export function shortHelixZed(): (message: unknown) => Short | undefined {
  const shown = new Map<string, number>();
  return (message) => {
    const { type, event_type: event = type, data } = fieldsOf(message);
    const { message_id: messageId, content, entry_type: entry, ...about } = fieldsOf(data);
    if (silent.includes(event)) return undefined;
    if (event !== "message_added") return { text: `${cut(event)} ${aboutEvent(about)}`.trim() };
    if (entry === "tool_call") return { text: `tool_call ${quoted(about["tool_name"])} ${cut(about["tool_status"])}` };
    const [id, whole] = [String(messageId), String(content)];
    const text = whole.slice(shown.get(id) ?? 0);
    shown.set(id, whole.length);
    return text === "" ? undefined : { text, goesOn: `message ${id}` };
  };
}

function aboutEvent({ message, error, title }: Fields): string {
  return message === undefined ? cut(error ?? title) : quoted(message);
}
