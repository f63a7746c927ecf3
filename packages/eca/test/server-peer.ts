import { memoryPair, type Transport } from "@editwire/transport";
import { type EcaServerConnection, type EcaServer, type EcaServerOptions, serveEca } from "../src/index.js";

/** A message as it is on the wire. */
export interface Message {
  jsonrpc?: string;
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string; data?: unknown };
}

/** One `chat/contentReceived`, flattened. */
export type Content = Record<string, unknown> & { chatId: string; role: string; type: string };

/** A client on the raw wire: it knows JSON and nothing else. */
export interface RawClient {
  readonly received: readonly Message[];
  send(message: unknown): void;
  notify(method: string, params?: unknown): void;
  /** Sends a request and waits for the message with its id. */
  call(method: string, params?: unknown): Promise<Message>;
  /** The first message received, so far or from now on, that `matches`. */
  until(matches: (message: Message) => boolean): Promise<Message>;
  /** Waits until something holds; looks after every message. */
  when(holds: () => boolean): Promise<void>;
  /** What came for a chat, or for all. */
  contents(chatId?: string): Content[];
  /** Prompts, waits for the `count`th end of a turn in that chat, and gives what came for it. */
  prompt(message: string, params?: Record<string, unknown>, count?: number): Promise<Content[]>;
  /** Waits for a content of this type, from now or before. */
  content(type: string, more?: Record<string, unknown>): Promise<Content>;
  close(): Promise<void>;
}

/** Speaks from the far end of a transport. */
function rawClient(transport: Transport): RawClient {
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  let nextId = 1000;
  let onClosed = (_reason: Error): void => {};
  const closed = new Promise<Error>((resolve) => (onClosed = resolve));
  transport.start({
    message(value) {
      received.push(value as Message);
      for (const look of [...waiting]) look();
    },
    malformed: (error) => onClosed(error),
    closed: (reason) => onClosed(reason),
  });
  const send = (message: unknown): void => void transport.send(JSON.stringify(message));
  const when = (holds: () => boolean): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!holds()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      void closed.then((reason) => reject(reason));
    });
  const until = async (matches: (message: Message) => boolean): Promise<Message> => {
    let seen = 0;
    let found: Message | undefined;
    await when(() => {
      while (found === undefined && seen < received.length) {
        const message = received[seen++] as Message;
        if (matches(message)) found = message;
      }
      return found !== undefined;
    });
    return found as unknown as Message;
  };
  const contentOf = ({ method, params }: Message): Content[] =>
    method === "chat/contentReceived"
      ? [{ chatId: params?.["chatId"], role: params?.["role"], ...(params?.["content"] as object) } as Content]
      : [];
  const contents = (chatId?: string): Content[] =>
    received.flatMap(contentOf).filter((content) => chatId === undefined || content.chatId === chatId);
  const call: RawClient["call"] = (method, params) => {
    const id = nextId++;
    send({ jsonrpc: "2.0", id, method, params });
    return until((message) => message.id === id && message.method === undefined);
  };
  return {
    received,
    send,
    when,
    until,
    contents,
    call,
    notify: (method, params) => send({ jsonrpc: "2.0", method, params }),
    async prompt(message, params = {}, count = 1) {
      const { result } = await call("chat/prompt", { message, ...params });
      const { chatId } = result as { chatId: string };
      await when(() => finished(contents(chatId)).length >= count);
      return contents(chatId);
    },
    async content(type, more = {}) {
      const message = await until((candidate) =>
        contentOf(candidate).some(
          (content) => content.type === type && Object.entries(more).every(([key, value]) => content[key] === value),
        ),
      );
      return contentOf(message)[0] as Content;
    },
    close: () => transport.close(),
  };
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
  return { server, client: rawClient(right) };
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
