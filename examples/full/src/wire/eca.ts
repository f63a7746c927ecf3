import { cut, type Fields, fieldsOf, quoted, type Short } from "./short.js";

const silent: readonly unknown[] = [
  ...["usage", "metadata", "reasonStarted", "reasonFinished", "toolCallPrepare", "toolCallRunning", "progress"],
];
const silentMethods: readonly unknown[] = ["$/progress", "config/updated", "tool/serverUpdated", "chat/statusChanged"];

/** A message of ECA in short. */
export function shortEca(message: unknown): Short | undefined {
  const { method, params, error } = fieldsOf(message);
  if (silentMethods.includes(method)) return undefined;
  if (method === "chat/contentReceived") return shortContent(fieldsOf(params));
  if (typeof method === "string") return { text: `${method} ${aboutCall(fieldsOf(params))}`.trim() };
  return error === undefined ? undefined : { text: `↩ error: ${cut(fieldsOf(error)["message"])}` };
}

function aboutCall({ message, chatId }: Fields): string {
  return typeof message === "string" ? quoted(message) : cut(chatId, 8);
}

function shortContent({ role, content }: Fields): Short | undefined {
  const { type, text, summary, manualApproval, error, state } = fieldsOf(content);
  if (type === "progress" && state === "finished") return { text: "the turn is over" };
  if (silent.includes(type)) return undefined;
  if (typeof text === "string")
    return { text: role === "assistant" ? text : `${cut(role)}: ${cut(text)}`, goesOn: `${cut(role)} ${cut(type)}` };
  const more = manualApproval === true ? "(asks)" : error === true ? "(failed)" : "";
  return { text: [type, quoted(summary), more].filter((part) => part !== "").join(" ") };
}
