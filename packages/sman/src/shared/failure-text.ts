import { ErrorCode, isObject, type Issue, type RemoteError } from "@editwire/core";
import type { ToolResult } from "@editwire/sman-schema";

/** The texts of failures, in the language of the specification's examples. */
export const failureTexts = {
  noId: "toolCallId 字段缺失或为空",
  unreadable: "消息无法解析",
  missing: (name: string) => `缺少必需参数: ${name}`,
  invalid: (what: string) => `参数无效: ${what}`,
  unknownTool: (name: string) => `不支持的工具: ${name}`,
  otherProject: (projectKey: string) => `projectKey 不匹配: ${projectKey}`,
  duplicate: (id: string) => `duplicate toolCallId: 该调用已执行: ${id}`,
  timeout: (tool: string) => `工具执行超时: ${tool}`,
  crashed: "工具执行异常",
  overloaded: "系统过载，请稍后重试",
  cut: (length: number) => `\n\n> ⚠️ 结果过长，已截断（原文 ${length} 字符）`,
};

/** The result of a call that failed before its tool ran. */
export function failureOf(error: RemoteError): ToolResult {
  return { success: false, error: textOf(error), executionTime: 0 };
}

function textOf({ code, message, data }: RemoteError): string {
  if (code === ErrorCode.InvalidRequest) return failureTexts.noId;
  if (code === ErrorCode.ParseError) return failureTexts.unreadable;
  if (code === ErrorCode.InternalError) return failureTexts.crashed;
  if (code !== ErrorCode.InvalidParams || !Array.isArray(data)) return message;
  return data.filter(isIssue).map(issueText).join("; ");
}

function isIssue(value: unknown): value is Issue {
  return isObject(value) && typeof value["path"] === "string" && typeof value["message"] === "string";
}

/** Names the param without the path to it. */
function issueText({ path, message }: Issue): string {
  const name = path.replace(/^params\.(?:params\.)?|^params$/, "");
  if (message.endsWith("received undefined")) return failureTexts.missing(name);
  return failureTexts.invalid(name === "" ? message : `${name}: ${message}`);
}
