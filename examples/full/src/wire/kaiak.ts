import { cut, type Fields, fieldsOf, quoted, type Short } from "./short.js";

const silent: readonly unknown[] = ["kaiak/stream/system", "initialized"];

/** A message of Kaiak in short. */
export function shortKaiak(message: unknown): Short | undefined {
  const { method, params, result, error } = fieldsOf(message);
  if (silent.includes(method)) return undefined;
  if (method === "kaiak/stream/ai_response" || method === "kaiak/stream/thinking") return shortText(fieldsOf(params));
  if (method === "workspace/executeCommand") return shortCommand(fieldsOf(params));
  if (typeof method === "string") return { text: `${method.replace("kaiak/", "")} ${about(fieldsOf(params))}`.trim() };
  if (error !== undefined) return { text: `↩ error: ${cut(fieldsOf(error)["message"])}` };
  const { status, request_id } = fieldsOf(result);
  return status === undefined || request_id === undefined ? undefined : { text: `↩ ${cut(status)}` };
}

/** The commands of a client travel inside of another method. */
function shortCommand({ command, arguments: args }: Fields): Short {
  const [first] = Array.isArray(args) ? args : [];
  return { text: `${cut(command).replace("kaiak/", "")} ${about(fieldsOf(first))}`.trim() };
}

function shortText(params: Fields): Short | undefined {
  const { content, text = content } = fieldsOf(params["content"] ?? params);
  return typeof text === "string" && text !== "" ? { text, goesOn: "text" } : undefined;
}

function about(params: Fields): string {
  const content = fieldsOf(params["content"] ?? params);
  const incidents = params["incidents"];
  if (Array.isArray(incidents)) return quoted(fieldsOf(incidents[0])["message"]);
  const { tool_name: tool, tool_call_name, operation, status, file_path, prompt, description } = content;
  const answer = fieldsOf(params["response_data"])["response"] ?? params["response_data"];
  const parts = [tool ?? tool_call_name, operation, file_path, description, prompt, status, answer];
  return cut(parts.filter((part) => typeof part === "string").join(" "));
}
