import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text as readText } from "node:stream/consumers";
import type { Agent } from "@editwire/agent";
import { createCodingAgent, ideToolbox, type Model } from "@editwire/example-coding-agent";
import { smanHandler } from "@editwire/sman/node";
import { createGuard } from "@editwire/transport/node";
import * as z from "zod";
import { announced } from "./announced.js";
import { runTask } from "./task.js";
import type { Transcript } from "./transcript.js";

/** How the backend works. */
export interface BackendOptions {
  readonly model: Model;
  /** The bearer token that IDEs and callers must send. */
  readonly token: string;
  /** Default 0: any free port of this machine. */
  readonly port?: number | undefined;
  readonly transcript: Transcript;
  /** Milliseconds that a task waits for the IDE of its project. Default 60,000. */
  readonly waitMs?: number | undefined;
}

/** A backend that listens. */
export interface Backend {
  readonly url: string;
  close(): Promise<void>;
}

const Task = z.object({ projectKey: z.string().min(1), prompt: z.string().min(1) });
const maxTaskBytes = 64 * 1024;

/**
 * Serves the agent: IDEs connect to `/ws/agent/chat`, and `POST /tasks` with `{"projectKey": …, "prompt": …}` is
 * answered with the agent's text while it works.
 */
export async function startBackend({ port = 0, ...options }: BackendOptions): Promise<Backend> {
  const { token, transcript, model, waitMs } = options;
  const ides = smanHandler({
    token,
    onIde: ({ projectKey }) => transcript.say(projectKey, "the IDE is connected"),
  });
  const log = (text: string): void => transcript.say("backend", text);
  const toolbox = ideToolbox({ backend: announced(ides, transcript), waitMs, log });
  const agent = createCodingAgent({ model, toolbox, onError: (error) => console.error("backend:", error) });
  const server = createServer((request, response) => {
    answer(request, response, agent, options).catch((error: unknown) => {
      console.error("backend:", error);
      if (!response.headersSent) response.writeHead(500);
      response.end("\nThe task failed.\n");
    });
  });
  server.on("upgrade", (request, socket: Duplex, head) => {
    if (!ides.upgrade(request, socket, head)) socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
  });
  const url = await listen(server, port);
  return {
    url,
    async close() {
      server.close();
      await agent.close();
      await ides.close();
      server.closeAllConnections();
    },
  };
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  agent: Agent,
  { token, transcript }: BackendOptions,
): Promise<void> {
  const refuse = (status: number, message: string): void => void response.writeHead(status).end(`${message}\n`);
  const { origin, host, authorization } = request.headers;
  const headers = new Headers({ host: host ?? "", authorization: authorization ?? "" });
  if (origin !== undefined) headers.set("origin", origin);
  const refusal = createGuard({ token })(headers);
  if (refusal !== undefined) return refuse(refusal.status, refusal.message);
  if (request.method !== "POST" || request.url !== "/tasks") return refuse(404, "Expected POST /tasks");
  if (!(Number(request.headers["content-length"]) <= maxTaskBytes)) return refuse(413, "The task is too long");
  const task = Task.safeParse(parsed(await readText(request)));
  if (!task.success) return refuse(400, z.prettifyError(task.error));

  const { projectKey, prompt } = task.data;
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
  transcript.say("user → agent", prompt);
  const onText = (text: string): void => void response.write(text);
  const signal = gone.signal;
  const { stopReason, error } = await runTask({ agent, prompt, projectKey, signal, transcript, onText });
  response.end(stopReason === "end_turn" ? "\n" : `\nThe task ended as ${stopReason}. ${error?.message ?? ""}\n`);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
