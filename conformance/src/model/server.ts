import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type * as z from "zod";
import type { ApiRequest, ModelApi } from "./api.js";
import { modelApis } from "./apis/all.js";
import { anthropic } from "./apis/anthropic.js";
import { gemini } from "./apis/gemini.js";
import { ollama } from "./apis/ollama.js";
import { openAiChat } from "./apis/openai-chat.js";
import { HttpError, readJson, sendJson, sendPieces } from "./http.js";
import { type RecordedRequest, Recorder } from "./recorder.js";
import { replyOf } from "./reply.js";
import { nextStep, type Script } from "./script.js";
import { readTurn } from "./turn.js";

const BODY_LIMIT = 32 * 1024 * 1024;

/** How a scripted model listens and answers. */
export interface ScriptedModelOptions {
  /** The model's behavior. */
  readonly script: Script;
  /** TCP port on 127.0.0.1. Default 0: any free one. */
  readonly port?: number | undefined;
  /** Milliseconds after each piece of a stream. Default 0. */
  readonly chunkDelayMs?: number | undefined;
  /** Bytes of a request's body, above which it is refused. Default 32 MiB. */
  readonly maxBodyBytes?: number | undefined;
  /** Called with every request when it arrives. */
  readonly onRequest?: ((request: RecordedRequest) => void) | undefined;
}

/** Base URLs as the clients of each API want them. */
export type ModelUrls = Readonly<Record<"openai" | "anthropic" | "gemini" | "ollama", string>>;

/** A running scripted model. */
export interface ScriptedModel {
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly urls: ModelUrls;
  /** The latest questions, oldest first: up to 200, and up to 64 MiB. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that answers from a script in place of a language model: OpenAI chat completions and
 * responses, Anthropic messages, Gemini and Ollama, streamed or not. It keeps no conversation. Rejects when the port is
 * taken.
 */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const { port = 0 } = options;
  const recorder = new Recorder();

  const server = createServer((request, response) => {
    const [path = ""] = (request.url ?? "").split("?", 1);
    const api = apiOf(path);
    handle(options, recorder, request, response, api).catch((error: unknown) => {
      if (response.destroyed) return;
      if (response.headersSent) return void response.destroy();
      const { status, message } = faultOf(error);
      // A retry would get the same answer, and the header says so to the clients that ask.
      response.setHeader("x-should-retry", "false");
      sendJson(response, status, api.error(status, message));
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    urls: { openai: `${url}/v1`, anthropic: url, gemini: url, ollama: url },
    requests: recorder.requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Answers a request to a model from the script, and keeps it in the recorder. */
async function answer(
  { script, chunkDelayMs = 0, onRequest }: ScriptedModelOptions,
  recorder: Recorder,
  api: ModelApi,
  asked: ApiRequest & { bytes: number },
  { headers }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { signal, ended } = lifeOf(response);
  const conversation = api.read(asked);
  const request = { api: api.name, conversation, key: keyOf(headers), ended };
  const number = recorder.keep(request, asked.bytes);
  onRequest?.(request);

  const step = nextStep(script, readTurn(conversation));
  if ("fail" in step) throw new HttpError(step.fail.status, step.fail.message);
  const { holdMs = 0, cut = false } = step;
  const reply = replyOf(conversation, step, number);
  if (!conversation.stream) {
    if (holdMs > 0) await delay(holdMs, undefined, { signal });
    return cut ? void response.destroy() : sendJson(response, 200, api.whole(reply));
  }
  const { type, body, end } = api.stream(reply, asked);
  const pace = { delayMs: chunkDelayMs, signal };
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-cache" });
  await sendPieces(response, body, pace);
  // The pieces are on their way before the connection breaks.
  if (cut) return void response.write("\n", () => response.destroy());
  if (holdMs > 0) await delay(holdMs, undefined, { signal });
  await sendPieces(response, end, pace);
  response.end();
}

/** Reads a request and routes it. Throws an `HttpError` for an unknown route. */
async function handle(
  options: ScriptedModelOptions,
  recorder: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
  api: ModelApi,
): Promise<void> {
  const { method = "", url = "/" } = request;
  const { pathname: path, searchParams: query } = new URL(url, "http://127.0.0.1");
  const { value: body, bytes } =
    method === "POST" ? await readJson(request, options.maxBodyBytes ?? BODY_LIMIT) : { value: undefined, bytes: 0 };
  const asked = { method, path, query, body, bytes };
  if (method === "POST" && api.asks(path)) return answer(options, recorder, api, asked, request, response);
  for (const one of modelApis) {
    const found = one.side(asked);
    if (found !== undefined) return sendJson(response, 200, found);
  }
  throw new HttpError(404, `No such route: ${method} ${path}`);
}

/** The API whose question a path is, else the one whose errors fit it best. */
function apiOf(path: string): ModelApi {
  const asked = modelApis.find((api) => api.asks(path));
  if (asked !== undefined) return asked;
  if (path.includes("/messages")) return anthropic;
  if (path.includes("/v1beta/")) return gemini;
  return path.includes("/api/") ? ollama : openAiChat;
}

/** Follows an answer to its end. */
function lifeOf(response: ServerResponse): { signal: AbortSignal; ended: Promise<"answered" | "aborted"> } {
  const gone = new AbortController();
  const ended = new Promise<"answered" | "aborted">((resolve) => {
    response.once("close", () => {
      gone.abort();
      resolve(response.writableFinished ? "answered" : "aborted");
    });
  });
  return { signal: gone.signal, ended };
}

function faultOf(error: unknown): { status: number; message: string } {
  if (error instanceof HttpError) return error;
  const issues = error instanceof Error && "issues" in error ? (error as z.ZodError).issues : undefined;
  if (issues !== undefined)
    return { status: 400, message: issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ") };
  return { status: 500, message: `The script failed: ${String(error)}` };
}

function keyOf(headers: IncomingMessage["headers"]): string | undefined {
  const key = headers.authorization?.replace(/^Bearer /i, "") ?? headers["x-api-key"] ?? headers["x-goog-api-key"];
  return Array.isArray(key) ? key[0] : key;
}
