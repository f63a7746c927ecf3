import { ErrorCode, RemoteError } from "@editwire/core";
import OpenAI from "openai";

/** How a model endpoint is reached. */
export interface ModelEndpoint {
  /** Base URL of an OpenAI-compatible API, such as `http://127.0.0.1:4000/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The model's name. */
  readonly model: string;
}

/** Says what went wrong with the model in words for the user. Neither the key nor credentials in the URL are in it. */
export function modelError(error: unknown, endpoint: ModelEndpoint): RemoteError {
  const status = error instanceof OpenAI.APIError ? (error.status as number | undefined) : undefined;
  // The answer of an endpoint may quote the key, so only failures on the way there are kept as the cause.
  const options = status === undefined ? { cause: error } : {};
  return new RemoteError(
    ErrorCode.InternalError,
    describe(error, status, endpoint),
    { status: status ?? null },
    options,
  );
}

function describe(error: unknown, status: number | undefined, { baseUrl, apiKey, model }: ModelEndpoint): string {
  const place = placeOf(baseUrl);
  if (status === 401 || status === 403)
    return `The model endpoint ${place} refused the API key (${status}). Check OPENAI_API_KEY.`;
  if (status === 404) return `The model endpoint ${place} does not know the model "${model}" (404).`;
  if (status === 429) return `The model endpoint ${place} limits its use (429): too many requests, or no quota left.`;
  if (error instanceof OpenAI.APIConnectionTimeoutError) return `The model endpoint ${place} did not answer in time.`;
  if (error instanceof OpenAI.APIConnectionError) return `Cannot reach the model endpoint ${place}.`;
  const reason = error instanceof OpenAI.APIError ? `: ${error.message.replaceAll(apiKey, "…")}` : "";
  return status === undefined
    ? `The answer of the model endpoint ${place} broke off${reason}.`
    : `The model endpoint ${place} failed${reason}.`;
}

function placeOf(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return origin + pathname;
}
