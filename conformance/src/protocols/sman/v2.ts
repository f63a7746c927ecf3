import { methodsOf, type Protocol } from "@editwire/core";
import { sman } from "@editwire/sman-schema";
import { projectKey } from "./samples.js";

type Json = Record<string, unknown>;

/** The messages that only sman 2.0 has. */
export const v2Table: Protocol = {
  ...sman,
  methods: Object.fromEntries(methodsOf(sman).filter(([, { spec }]) => spec === undefined)),
};

/** A message of a 2.0 backend. */
export function told(type: string, data: Json): Json {
  return { type, data, timestamp: Date.now() };
}

/** The first message on a connection. */
export const v2Greeting = (sessionId: string): Json =>
  told("CONNECTED", {
    ...{ message: "连接成功", sessionId, projectKey, projectPath: "/home/me/conformance", mode: "agent" },
    ...{ serverTime: Date.now(), protocolVersion: "2.0" },
  });

/** The messages of a 2.0 backend about a chat, from its beginning to its end. */
export const v2Chat = (sessionId: string): readonly Json[] => [
  told("AGENT_RESPONSE", { sessionId, content: "", status: "PROCESSING", workerId: "worker-1" }),
  told("TODO_UPDATE", { sessionId, todos: [{ content: "Look around", status: "in_progress" }] }),
  told("STREAMING_CONTENT", { sessionId, content: "# A title", contentType: "markdown", chunkIndex: 0 }),
  told("STREAMING_CONTENT", { sessionId, content: "", chunkIndex: 1, isComplete: true, workerId: "worker-1" }),
  told("CODE_EDIT", { sessionId, edits: [] }),
  told("AGENT_RESPONSE", { sessionId, content: "# A title", status: "COMPLETED", streamingComplete: true }),
];

/** Messages of a 2.0 backend that were not requested, and answers to those that were. */
export const v2News = (sessionId: string): readonly Json[] => [
  v2Greeting(sessionId),
  told("PONG", { timestamp: 17 }),
  told("STOPPED", { sessionId, message: "分析已取消", timestamp: Date.now() }),
  told("ERROR", { errorCode: "PROCESSING_FAILED", errorMessage: "处理失败", timestamp: Date.now() }),
  told("ERROR", { code: "SESSION_NOT_FOUND", message: "no such session", sessionId }),
  ...["FAILED", "ERROR", "CANCELLED", "SUCCESS"].map((status) =>
    told("AGENT_RESPONSE", { sessionId: "another", content: "", status }),
  ),
  told("PROGRESS", { percent: 50 }),
];
