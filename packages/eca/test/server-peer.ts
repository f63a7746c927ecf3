import { memoryPair } from "@editwire/transport";
import { type Message, RawPeer } from "../../peer/test/raw-peer.js";
import { type EcaServerConnection, type EcaServer, type EcaServerOptions, serveEca } from "../src/index.js";

/** One `chat/contentReceived`, flattened. */
export type Content = Record<string, unknown> & { chatId: string; role: string; type: string };

/** A client on the raw wire: it knows JSON and nothing else. */
export class RawClient extends RawPeer {
  /** The contents for a chat, or for all. */
  contents(chatId?: string): Content[] {
    return this.received.flatMap(contentOf).filter((content) => chatId === undefined || content.chatId === chatId);
  }

  /** Prompts, waits for the `count`th end of a turn in that chat, and gives what came for it. */
  async prompt(message: string, params: Record<string, unknown> = {}, count = 1): Promise<Content[]> {
    const { result } = await this.call("chat/prompt", { message, ...params });
    const { chatId } = result as { chatId: string };
    await this.when(() => finished(this.contents(chatId)).length >= count);
    return this.contents(chatId);
  }

  /** Waits for a content of this type, from now or before. */
  async content(type: string, more: Record<string, unknown> = {}): Promise<Content> {
    const message = await this.until((candidate) =>
      contentOf(candidate).some(
        (content) => content.type === type && Object.entries(more).every(([key, value]) => content[key] === value),
      ),
    );
    return contentOf(message)[0] as Content;
  }
}

function contentOf({ method, params }: Message): Content[] {
  return method === "chat/contentReceived"
    ? [{ chatId: params?.["chatId"], role: params?.["role"], ...(params?.["content"] as object) } as Content]
    : [];
}

/** The ends of turns among contents. */
export const finished = (contents: readonly Content[]): Content[] =>
  contents.filter(({ type, state }) => type === "progress" && state === "finished");

/** The types of contents, those of a running progress left out. */
export const typesOf = (contents: readonly Content[]): string[] =>
  contents.filter(({ state }) => state !== "running").map(({ type }) => type);

export const initializeParams = {
  processId: null,
  capabilities: { codeAssistant: { chat: true } },
  workspaceFolders: [{ uri: "file:///p", name: "p" }],
};

/** A server in this process with a client on the raw wire, not initialized yet. */
export function connected(
  handlers: EcaServer,
  options: EcaServerOptions = {},
): { client: RawClient; server: EcaServerConnection } {
  const [left, right] = memoryPair();
  const server = serveEca(left, handlers, options);
  return { server, client: new RawClient(right) };
}

/** The same, initialized. */
export async function ready(
  handlers: EcaServer,
  options: EcaServerOptions = {},
): Promise<{ client: RawClient; server: EcaServerConnection }> {
  const both = connected(handlers, options);
  await both.client.call("initialize", initializeParams);
  both.client.notify("initialized", {});
  await both.client.until(({ method, params }) => method === "$/progress" && params?.["type"] === "finish");
  return both;
}
