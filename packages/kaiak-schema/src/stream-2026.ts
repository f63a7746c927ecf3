import { isObject, type Route } from "@editwire/core";
import { questionForms } from "./questions-2026.js";

/** The notification that carries everything of a run in `v2026`. */
const dataMethod = "kaiak/generate_fix/data";

type Fields = Readonly<Record<string, unknown>>;

/** How one of the specification's notifications is written in `v2026`. */
type Writer = (content: Fields) => { readonly kind: string; readonly payload: Fields };
/** The notification and the content that a payload of `v2026` means. */
type Reader = (payload: Fields) => { readonly stream: string; readonly content: Fields };

const isOpen = (status: unknown): boolean => status === "pending" || status === "approved" || status === "executing";

/**
 * Fields that the dialect lacks stand in the payload beside its own, where its other programs ignore them. `progress`
 * and `file_modification` are system messages.
 */
const writers: Readonly<Record<string, Writer>> = {
  ai_response: ({ text, partial, ...rest }) => ({
    kind: "ai_message",
    payload: { role: "Assistant", text, ...(partial === true ? { partial } : {}), ...rest },
  }),
  thinking: ({ text }) => ({ kind: "thinking", payload: { thinking: text } }),
  tool_call({ tool_call_id: id, tool_name, operation, parameters, status, result }) {
    if (isOpen(status))
      return { kind: "tool_call", payload: { id, tool_name, arguments: parameters, operation, status } };
    const { success = false, output } = isObject(result) ? result : {};
    const content_count = output === undefined || output === null ? 0 : 1;
    return { kind: "tool_response", payload: { id, is_error: success !== true, content_count, status, result } };
  },
  user_interaction: (content) => ({ kind: "user_interaction", payload: questionForms.write(content) }),
  error: ({ message, ...rest }) => ({ kind: "error", payload: { error: message, ...rest } }),
  system: (content) => ({ kind: "system", payload: { notification_type: "InlineMessage", ...content } }),
  progress: (content) => ({
    kind: "system",
    payload: { event: "progress", message: content["description"], ...content },
  }),
  file_modification: (content) => ({
    kind: "system",
    payload: {
      event: "file_modification",
      message: `${String(content["operation"])} ${String(content["file_path"])}`,
      ...content,
    },
  }),
};

const readers: Readonly<Record<string, Reader>> = {
  ai_message: ({ role: _role, ...rest }) => ({ stream: "ai_response", content: { partial: false, ...rest } }),
  thinking: ({ thinking: text }) => ({ stream: "thinking", content: { text } }),
  tool_call: ({ id, tool_name = "", arguments: parameters, operation = tool_name, status, error }) => ({
    stream: "tool_call",
    content: {
      tool_call_id: id,
      tool_name,
      operation,
      parameters: parameters ?? {},
      status: status ?? (error === undefined ? "executing" : "failed"),
      ...(error === undefined ? {} : { result: { success: false, error } }),
    },
  }),
  tool_response({ id, is_error, error, status, result }) {
    const success = is_error !== true && error === undefined;
    return {
      stream: "tool_call",
      content: {
        tool_call_id: id,
        tool_name: "",
        operation: "",
        parameters: {},
        status: status ?? (success ? "completed" : "failed"),
        result: result ?? { success, ...(error === undefined ? {} : { error }) },
      },
    };
  },
  user_interaction: (payload) => ({ stream: "user_interaction", content: questionForms.read(payload) }),
  error: ({ error, ...rest }) => ({
    stream: "error",
    content: { error_code: "AGENT_ERROR", recoverable: true, ...rest, message: error },
  }),
  system(payload) {
    const { event, message, ...rest } = payload;
    if (event === "progress" || event === "file_modification") return { stream: event, content: rest };
    const described = message ?? [event, ...Object.values(rest)].join(" ");
    return { stream: "system", content: { level: "info", component: "agent", ...payload, message: described } };
  },
};

const prefix = "kaiak/stream/";

/**
 * Plain method names, and every notification of a run as `kaiak/generate_fix/data`. A notification gets the time at
 * which it came, because the dialect has none; one of an unknown kind stays as it is.
 */
export const plainRoute: Route = {
  wrap(method, params) {
    const write = method.startsWith(prefix) ? writers[method.slice(prefix.length)] : undefined;
    if (write === undefined || !isObject(params) || !isObject(params["content"])) return { method, params };
    const { request_id, session_id, content } = params;
    return { method: dataMethod, params: { request_id, session_id, ...write(content) } };
  },
  unwrap(method, params) {
    if (method !== dataMethod || !isObject(params)) return { method, params };
    const { request_id, session_id, kind, payload } = params;
    const known = typeof kind === "string" && Object.hasOwn(readers, kind) && isObject(payload);
    if (!known) return { method, params };
    const { stream, content } = (readers[kind] as Reader)(payload);
    const timestamp = new Date().toISOString();
    return { method: `${prefix}${stream}`, params: { session_id, request_id, message_id: "", timestamp, content } };
  },
};
