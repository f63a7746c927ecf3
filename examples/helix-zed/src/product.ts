import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isWireError } from "@editwire/core";
import type { HelixZedHost, HelixZedSession, HelixZedTurn } from "@editwire/helix-zed";

const maxBody = 1024 * 1024;
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i;

/**
 * The product's own HTTP API. `POST /sessions/ID/messages` with `{ message, requestId? }` streams the answer as lines
 * of JSON. `GET /sessions/ID` returns the conversation.
 */
export async function serveProduct(
  host: HelixZedHost,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers, method, url = "" } = request;
  // Otherwise a page of another site could reach the agent through its visitor's browser, also by DNS rebinding.
  if (headers.origin !== undefined || !loopback.test(headers.host ?? ""))
    return answer(response, 403, { error: "pages may not call this" });
  const [, name, messages] = /^\/sessions\/([^/?]+)(\/messages)?$/.exec(url) ?? [];
  const id = name === undefined ? undefined : decoded(name);
  if (id === undefined) return answer(response, 404, { error: "page not found" });
  if (messages === undefined && method === "GET")
    return answer(response, 200, await conversation(await host.session(id)));
  if (messages === undefined || method !== "POST")
    return answer(response, 405, { error: "expected GET of a session or POST of a message" });
  await say(await host.session(id), request, response);
}

async function conversation(session: HelixZedSession): Promise<object> {
  const interactions = await session.interactions();
  const { threadId = null, connected } = session.state;
  return { threadId, connected, interactions };
}

async function say(session: HelixZedSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(request);
  if (body === undefined)
    return answer(response, 413, { error: `a body may not be longer than ${maxBody} characters` });
  const { message, requestId } = body;
  if (typeof message !== "string" || !(requestId === undefined || typeof requestId === "string"))
    return answer(response, 400, { error: "expected { message, requestId? }" });
  let turn: HelixZedTurn;
  try {
    turn = session.prompt(message, { requestId });
  } catch (error) {
    if (!isWireError(error)) throw error;
    return answer(response, 400, { error: error.message });
  }
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  // Waits for a slow reader. One that leaves early does not end the turn.
  await pipeline(Readable.from(linesOf(turn)), response).catch(() => {});
}

async function* linesOf(turn: HelixZedTurn): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  yield line({ requestId: turn.requestId });
  try {
    for await (const event of turn) {
      if (event.type === "message") yield line({ id: event.message.id, text: event.message.content });
      else if (event.type === "tool_call") yield line({ id: event.toolCall.toolCallId, text: event.toolCall.text });
      else yield line(event.type === "stop" ? { state: event.interaction.state } : { restart: true });
    }
  } catch (error) {
    yield line({ error: error instanceof Error ? error.message : String(error) });
  }
}

/** The body, empty where it is not JSON; `undefined` when it is too long. */
async function readBody(request: IncomingMessage): Promise<Record<string, unknown> | undefined> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.length > maxBody) return undefined;
  }
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, status: number, value: object): void {
  response
    .writeHead(status, { "content-type": "application/json", ...(status === 413 ? { connection: "close" } : {}) })
    .end(JSON.stringify(value));
}
