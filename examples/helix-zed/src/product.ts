import type { IncomingMessage, ServerResponse } from "node:http";
import type { HelixHost, HelixSession } from "@editwire/helix-zed";

const maxBody = 1024 * 1024;

/**
 * The product's own HTTP API: `POST /sessions/ID/messages` with `{ message, requestId? }` streams the answer as lines of JSON,
 * `GET /sessions/ID` gives the conversation.
 */
export async function serveProduct(host: HelixHost, request: IncomingMessage, response: ServerResponse): Promise<void> {
  // A page of another site could otherwise talk to the agent through its visitor's browser.
  if (request.headers.origin !== undefined) return answer(response, 403, { error: "pages may not call this" });
  const [, id, messages] = /^\/sessions\/([^/?]+)(\/messages)?$/.exec(request.url ?? "") ?? [];
  if (id === undefined) return answer(response, 404, { error: "there is no such page" });
  const session = host.session(decodeURIComponent(id));
  if (messages === undefined && request.method === "GET") return answer(response, 200, await conversation(session));
  if (messages === undefined || request.method !== "POST") return answer(response, 405, { error: "expected GET of a session or POST of a message" });
  await say(session, request, response);
}

async function conversation(session: HelixSession): Promise<object> {
  const interactions = await session.interactions();
  return { threadId: session.threadId ?? null, connected: session.connected, interactions };
}

async function say(session: HelixSession, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { message, requestId } = await readBody(request);
  if (typeof message !== "string" || !(requestId === undefined || typeof requestId === "string")) return answer(response, 400, { error: "expected { message, requestId? }" });
  const interaction = session.send(message, { requestId });
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  const line = (value: object): unknown => response.write(`${JSON.stringify(value)}\n`);
  line({ requestId: interaction.requestId });
  for await (const event of interaction) line(event.type === "message" ? { id: event.message.id, text: event.message.content } : { state: event.interaction.state });
  response.end();
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > maxBody) break;
  }
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
