import type { AgentQuestion } from "../api/events.js";
import type { AcpElicitationQuestion, AcpResult, ElicitationSchema, ToolCallUpdate } from "@editwire/acp";

/** A question as a form: the answers to choose from, and a field for the user's own words. */
export function formOf({ question, options, allowFreeform, toolCallId }: AgentQuestion): AcpElicitationQuestion {
  const choice = {
    type: "string" as const,
    title: "Answer",
    oneOf: options.map(({ label, description }) => ({
      const: label,
      title: label,
      ...(description === undefined ? {} : { description }),
    })),
  };
  const words = { type: "string" as const, title: options.length === 0 ? "Answer" : "Another answer" };
  const requestedSchema: ElicitationSchema =
    options.length === 0
      ? { type: "object", properties: { answer: words }, required: ["answer"] }
      : allowFreeform
        ? { type: "object", properties: { answer: choice, other: words } }
        : { type: "object", properties: { answer: choice }, required: ["answer"] };
  return { mode: "form", message: question, requestedSchema, ...(toolCallId === undefined ? {} : { toolCallId }) };
}

/** The answer in a form. */
export function answerIn(result: AcpResult<"elicitation/create">): string | undefined {
  if (result.action !== "accept" || !("content" in result)) return undefined;
  const { answer, other } = (result.content ?? {}) as { readonly answer?: unknown; readonly other?: unknown };
  return [other, answer].find((value): value is string => typeof value === "string" && value !== "");
}

/** A question as a permission request, for clients without forms. */
export function choiceOf({ questionId, question }: AgentQuestion) {
  const call = { toolCallId: `question-${questionId}`, title: question, kind: "other", status: "pending" } as const;
  return call satisfies ToolCallUpdate;
}
