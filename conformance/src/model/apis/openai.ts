import type { ApiRequest } from "../api.js";
import { SCRIPTED_MODEL } from "../name.js";

/** An error as OpenAI's APIs write it. */
export function openAiError(status: number, message: string): unknown {
  return {
    error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", param: null, code: null },
  };
}

/** The list of models, with what Anthropic's list of the same path has beside. */
export function openAiModels({ method, path }: ApiRequest): unknown {
  if (method !== "GET" || path.includes("/v1beta/") || !/\/models(\/[^/]+)?$/.test(path)) return undefined;
  const model = { id: SCRIPTED_MODEL, object: "model", created: 0, owned_by: "editwire" };
  const both = { ...model, type: "model", display_name: SCRIPTED_MODEL, created_at: "1970-01-01T00:00:00Z" };
  if (!path.endsWith("/models")) return both;
  return { object: "list", data: [both], has_more: false, first_id: SCRIPTED_MODEL, last_id: SCRIPTED_MODEL };
}
