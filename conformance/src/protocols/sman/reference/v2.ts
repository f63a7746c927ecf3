import { isObject } from "@editwire/core";
import { told, v2Greeting } from "../v2.js";
import type { BackendBehavior, BackendSite, BackendWords } from "./backend-behavior.js";
import type { PluginBehavior } from "./plugin-behavior.js";
import type { Json } from "./tool-failure.js";

const failed = (errorCode: string, errorMessage: string): BackendWords => ({
  messages: [told("ERROR", { errorCode, errorMessage, timestamp: Date.now() })],
});

/** The answer to a chat; one that names a file reads it before the answer is complete. */
function chatOf({ sessionId, message }: Json, { session }: BackendSite): BackendWords {
  const own = typeof sessionId === "string" && sessionId !== "" ? sessionId : session;
  const part = told("STREAMING_CONTENT", { sessionId: own, content: "Hello", chunkIndex: 0 });
  const end = told("AGENT_RESPONSE", { sessionId: own, content: "Hello", status: "COMPLETED" });
  const reads = /Read the file (\S+) with/.exec(String(message))?.[1];
  return reads === undefined ? { messages: [part, end] } : { messages: [part], reads, afterwards: [end] };
}

/** The decisions with which the reference backend speaks 2.0. */
export const v2Backend = {
  greeting: ({ session }) => [v2Greeting(session)],
  words(what, { type, data }, site) {
    const fields = isObject(data) ? data : {};
    if (what === "frame") return failed("MESSAGE_PARSE_ERROR", "消息解析失败");
    if (what !== "type") return { messages: [] };
    if (type === "PING") return { messages: [told("PONG", { timestamp: fields["timestamp"] ?? Date.now() })] };
    if (type === "STOP") return { messages: [told("STOPPED", { sessionId: site.session, message: "分析已取消" })] };
    if (type === "AGENT_CHAT") return chatOf(fields, site);
    if (typeof type !== "string") return failed("INVALID_MESSAGE", "消息缺少 type 字段");
    return failed("UNKNOWN_MESSAGE_TYPE", `未知的消息类型: ${type}`);
  },
} satisfies Partial<BackendBehavior>;

/** The decisions with which the reference plugin speaks 2.0. */
export const v2Plugin = {
  greeting: () => [{ type: "AGENT_CHAT", data: { sessionId: "", projectKey: "conformance", message: "Hello" } }],
  words: ({ type }) => (type === "CONNECTED" ? [{ type: "PING", data: { timestamp: Date.now() } }] : []),
} satisfies Partial<PluginBehavior>;
