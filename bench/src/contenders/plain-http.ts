import { once } from "node:events";
import { createServer } from "node:http";
import { createParser } from "eventsource-parser";
import { listenOn } from "./web-sockets.js";

/** Messages over HTTP without anything around them: a POST each, and an event stream back. */
export interface EventLink {
  send(message: object): void | Promise<void>;
  onText(listener: (text: string) => void): void;
}

/** Opens the event stream of a server of `listenEvents`. */
export async function dialEvents(url: string): Promise<EventLink> {
  const { body } = await fetch(`${url}/events`);
  let listener = (_text: string): void => {};
  const parser = createParser({ onEvent: ({ data }) => listener(data) });
  const read = async (stream: ReadableStream<Uint8Array>): Promise<void> => {
    const reader = stream.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) parser.feed(next.value);
  };
  if (body === null) throw new Error(`${url}/events has no body`);
  read(body).catch(() => {}); // the far end is ended when the measuring is done
  return {
    async send(message) {
      const answer = await fetch(`${url}/rpc`, { method: "POST", body: JSON.stringify(message) });
      await answer.body?.cancel();
    },
    onText: (given) => void (listener = given),
  };
}

/** Serves one client on a free port of this machine and gives the URL. */
export async function listenEvents(onLink: (link: EventLink) => void): Promise<string> {
  let listener = (_text: string): void => {};
  const server = createServer(async (request, response) => {
    if (request.url === "/events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      onLink({
        send(message) {
          if (!response.write(`data: ${JSON.stringify(message)}\n\n`)) return once(response, "drain").then(() => {});
        },
        onText: (given) => void (listener = given),
      });
      return;
    }
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    listener(text);
    response.writeHead(202).end();
  });
  return listenOn(server, "http");
}
