import { isObject } from "@editwire/core";
import type { Answer, AnswerMessage } from "./answers.js";

type Fields = Readonly<Record<string, unknown>>;

/** The answers to a tool confirmation. */
const actions = ["allow_once", "always_allow", "deny"];
/** Seconds that a server waits for an answer. */
const timeout = 300;

/** Questions that are a text or a choice; the others ask whether something may be done. */
const isElicitation = (type: unknown): boolean => type === "text_input" || type === "choice";

function schemaFor(options: unknown): Fields {
  const response = { type: "string", ...(Array.isArray(options) && options.length > 0 ? { enum: options } : {}) };
  return { type: "object", properties: { response }, required: ["response"] };
}

/** The two forms of a question in `v2026`: a tool confirmation, and an elicitation with a JSON Schema. */
export const questionForms = {
  write({ interaction_id: id, interaction_type: type, prompt, requested_schema, ...rest }: Fields): Fields {
    const more = { ...rest, type };
    return isElicitation(type)
      ? {
          interaction_type: "elicitation",
          id,
          message: prompt,
          requested_schema: requested_schema ?? schemaFor(rest["options"]),
          ...more,
        }
      : { interaction_type: "tool_confirmation", id, tool_name: type, arguments: {}, prompt, ...more };
  },
  read({ interaction_type, id, prompt, message, type, ...rest }: Fields): Fields {
    if (interaction_type === "elicitation")
      return { timeout, ...rest, interaction_id: id, interaction_type: type ?? "text_input", prompt: message };
    const name = rest["tool_name"];
    return {
      ...(type === undefined ? { options: actions, default_response: "deny", timeout } : {}),
      ...rest,
      interaction_id: id,
      interaction_type: type ?? "tool_permission",
      prompt: prompt ?? `Run ${String(name)}?`,
    };
  },
};

const actionsByWord: Readonly<Record<string, string>> = {
  approve: "allow_once",
  allow: "allow_once",
  yes: "allow_once",
  reject: "deny",
  no: "deny",
};

/** Answers with `kaiak/client/user_message`. */
export function userMessageAnswer({ sessionId, questionId, type, answer, schema }: Answer): AnswerMessage {
  const elicitation = isElicitation(type);
  return {
    method: "kaiak/client/user_message",
    params: {
      session_id: sessionId,
      kind: elicitation ? "elicitation_response" : "tool_confirmation",
      timestamp: new Date().toISOString(),
      payload: elicitation
        ? { request_id: questionId, user_data: userData(answer, schema) }
        : { request_id: questionId, action: actionsByWord[answer] ?? answer },
    },
  };
}

/** Cancels the run of a session: this dialect's servers do not know `$/cancelRequest`, and some end because of it. */
export function cancelSignal(sessionId: string): AnswerMessage {
  return {
    method: "kaiak/client/user_message",
    params: {
      session_id: sessionId,
      kind: "control_signal",
      timestamp: new Date().toISOString(),
      payload: { signal: "cancel" },
    },
  };
}

/** The answer as the schema wants it: JSON text of an object as it is, other text as the schema's only property. */
function userData(answer: string, schema: unknown): unknown {
  const parsed = parsedObject(answer);
  if (parsed !== undefined) return parsed;
  const properties = isObject(schema) && isObject(schema["properties"]) ? Object.keys(schema["properties"]) : [];
  const [only = "response", ...others] = properties;
  return others.length === 0 ? { [only]: answer } : answer;
}

function parsedObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
