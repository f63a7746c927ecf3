import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chunksOf, completionOf } from "./answer.js";
import { ChatRequest } from "./chat-request.js";
import { HttpError, readJson, sendChunks, sendError, sendJson } from "./respond.js";
import { nextStep, type Script } from "./script.js";
import { fixFailingTest } from "./scripts/fix-failing-test.js";
import { readTurn } from "./turn.js";

/** The model that the scripted endpoint lists; it answers to any name. */
export const SCRIPTED_MODEL = "scripted";

const KEPT_REQUESTS = 200;

/** How a scripted model listens and answers. */
export interface ScriptedModelOptions {
  /** TCP port on 127.0.0.1. Default 0: any free one. */
  port?: number | undefined;
  /** What the model does. Default `fixFailingTest`. */
  script?: Script | undefined;
  /** Milliseconds between two chunks of a stream. Default 0. */
  chunkDelayMs?: number | undefined;
}

/** One chat completion that was asked for. */
export interface RecordedRequest {
  readonly body: ChatRequest;
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** Resolves when the answer is out, or the client has gone before that. */
  readonly ended: Promise<"answered" | "aborted">;
}

/** A running scripted model. */
export interface ScriptedModel {
  /** The base URL for an OpenAI client, such as `http://127.0.0.1:4000/v1`. */
  readonly url: string;
  /** The last 200 chat completions, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts an OpenAI chat completions endpoint on 127.0.0.1 that answers from a script. Rejects when the port is taken. */
export async function startScriptedModel(options: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const { port = 0, script = fixFailingTest, chunkDelayMs = 0 } = options;
  const requests: RecordedRequest[] = [];

  async function complete(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    const ended = new Promise<"answered" | "aborted">((resolve) => {
      response.once("close", () => {
        gone.abort();
        resolve(response.writableFinished ? "answered" : "aborted");
      });
    });
    const { success, data: body, error } = ChatRequest.safeParse(await readJson(request));
    if (!success) throw new HttpError(400, error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "));

    requests.push({ body, authorization: request.headers.authorization, ended });
    if (requests.length > KEPT_REQUESTS) requests.shift();

    const step = nextStep(script, readTurn(body));
    if ("fail" in step) throw new HttpError(step.fail.status, step.fail.message);
    if (body.stream !== true) return sendJson(response, 200, completionOf(body, step));

    await sendChunks(response, chunksOf(body, step), chunkDelayMs, gone.signal);
    if (step.cut === true) response.write(": cut\n\n", () => response.destroy());
    else response.end("data: [DONE]\n\n");
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1");
    const route = `${request.method} ${pathname}`;
    if (route === "POST /v1/chat/completions") return complete(request, response);
    if (route === "GET /v1/models") return sendJson(response, 200, { object: "list", data: [modelInfo] });
    throw new HttpError(404, `No such route: ${route}`);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else if (error instanceof HttpError) sendError(response, error.status, error.message);
      else sendError(response, 500, `The script failed: ${String(error)}`);
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const modelInfo = { id: SCRIPTED_MODEL, object: "model", created: 0, owned_by: "editwire" };
