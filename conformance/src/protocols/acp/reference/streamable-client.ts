import { type ClientRequest, type IncomingMessage, request as send } from "node:http";
import { isObject } from "@editwire/core";
import { FrameCutter } from "../../../wire/framing.js";
import type { PipeEnd, PipeEvents } from "../../../wire/pipe.js";
import { SseCutter } from "../../../wire/sse.js";
import type { Json } from "./agent-behavior.js";

/** Every decision of the reference client's Streamable HTTP side, as the proposal of version 1 wants it. */
export const rightStreamableClient = {
  contentType: "application/json",
  accept: "text/event-stream",
  /** Whether a request of this verb names the connection. */
  names: (_verb: string): boolean => true,
  /** Whether the POST of this message names its session. */
  scopes: (_message: Json): boolean => true,
  /** Whether the stream of a session is opened; the connection's own is `""`. */
  streams: (_session: string): boolean => true,
  /** Whether a request of this verb returns the cookies. */
  returnsCookies: (_verb: string): boolean => true,
  /** Whether the connection is ended with a DELETE. */
  ends: true,
  /** Whether what is refused is lost on somebody. */
  noticesRefusals: true,
};

/** The switches of the client's Streamable HTTP side. */
export type StreamableClientBehavior = typeof rightStreamableClient;

/** One end of a pipe to an agent on one endpoint. Posts messages one after another. */
export function streamableClientPipe(url: string, patch: Partial<StreamableClientBehavior> = {}): PipeEnd {
  return new StreamableClientPipe(url, { ...rightStreamableClient, ...patch });
}

class StreamableClientPipe implements PipeEnd {
  readonly #url: string;
  readonly #behavior: StreamableClientBehavior;
  readonly #cutter = new FrameCutter();
  readonly #calls = new Set<ClientRequest>();
  readonly #streams = new Map<string, Promise<void>>();
  /** The sessions that the agent's requests are about, by id: an answer goes where its request came from. */
  readonly #asked = new Map<string, string>();
  readonly #cookies = new Map<string, string>();
  #connection: string | undefined;
  #events: PipeEvents | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(url: string, behavior: StreamableClientBehavior) {
    this.#url = url;
    this.#behavior = behavior;
  }

  listen(events: PipeEvents): void {
    this.#events = events;
  }

  write(chunk: Uint8Array): void {
    for (const cut of this.#cutter.push(chunk))
      if (cut.ok) this.#tail = this.#tail.then(() => (this.#closed ? undefined : this.#post(cut.message as Json)));
  }

  end(): void {
    if (this.#connection === undefined || !this.#behavior.ends) return this.destroy();
    void this.#tail.then(() => this.#request("DELETE", {})).then(() => this.destroy());
  }

  destroy(): void {
    this.#closed = true;
    for (const call of this.#calls) call.destroy();
  }

  async #post(message: Json): Promise<void> {
    const session = this.#sessionOf(message);
    const first = this.#connection === undefined;
    if (!first) await this.#stream(session);
    const scope = session === "" || !this.#behavior.scopes(message) ? {} : { "Acp-Session-Id": encodeURI(session) };
    const headers = { "content-type": this.#behavior.contentType, ...scope };
    const answer = await this.#request("POST", headers, JSON.stringify(message));
    if (answer === undefined) return;
    const { statusCode: status = 0, headers: answered } = answer;
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    if (status >= 400) return this.#refused();
    if (!first) return;
    this.#connection = String(answered["acp-connection-id"]);
    await this.#stream("");
    this.#take(Buffer.concat(chunks).toString("utf8"), "");
  }

  #sessionOf({ method, params, id }: Json): string {
    if (method === undefined) return this.#asked.get(JSON.stringify(id)) ?? "";
    return isObject(params) && typeof params["sessionId"] === "string" ? params["sessionId"] : "";
  }

  #stream(session: string): Promise<void> {
    const opening = this.#streams.get(session) ?? (this.#behavior.streams(session) ? this.#open(session) : undefined);
    if (opening !== undefined) this.#streams.set(session, opening);
    return opening ?? Promise.resolve();
  }

  async #open(session: string): Promise<void> {
    const scope = session === "" ? {} : { "Acp-Session-Id": encodeURI(session) };
    const answer = await this.#request("GET", { accept: this.#behavior.accept, ...scope });
    if (answer === undefined) return;
    const cutter = new SseCutter();
    answer.on("error", () => {});
    answer.on("data", (chunk: Buffer) => {
      for (const part of cutter.push(chunk)) if (part.kind === "event") this.#take(part.data, session);
    });
    if (answer.statusCode !== 200) return this.#refused();
    answer.once("close", () => (session === "" && !this.#closed ? this.#events?.end() : undefined));
  }

  #take(text: string, session: string): void {
    const message = JSON.parse(text) as Json;
    const { id, method, result } = message;
    if (id !== undefined && method !== undefined) this.#asked.set(JSON.stringify(id), session);
    if (isObject(result) && typeof result["sessionId"] === "string") void this.#stream(result["sessionId"]);
    this.#events?.data(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  #refused(): void {
    if (!this.#behavior.noticesRefusals) return;
    this.destroy();
    this.#events?.end();
  }

  #request(verb: string, own: Record<string, string>, body?: string): Promise<IncomingMessage | undefined> {
    const { names, returnsCookies } = this.#behavior;
    const connection = this.#connection !== undefined && names(verb) ? { "Acp-Connection-Id": this.#connection } : {};
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const cookies = cookie !== "" && returnsCookies(verb) ? { cookie } : {};
    return new Promise((resolve) => {
      const headers = { ...connection, ...cookies, ...own };
      const call = send(this.#url, { method: verb, agent: false, headers }, (answer) => {
        for (const pair of answer.headers["set-cookie"] ?? []) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(pair) ?? [];
          this.#cookies.set(name, value);
        }
        if (verb === "DELETE") answer.resume();
        resolve(answer);
      });
      this.#calls.add(call);
      call.once("error", () => resolve(undefined));
      call.once("close", () => this.#calls.delete(call));
      call.end(body);
    });
  }
}
