import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { bundle, toolWorker } from "../../../../scripts/testing/bundle.js";

/** A message as it is on the wire. */
export interface Message {
  id?: number | string | null;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** One `chat/contentReceived`, flattened. */
export type Content = Record<string, unknown> & { chatId: string; role: string; type: string };

/** The server as a process of its own, spoken to on the raw wire. */
export interface ServerProcess {
  readonly received: readonly Message[];
  /** Everything on stderr so far. */
  log(): string;
  write(frame: string): void;
  notify(method: string, params: unknown): void;
  call(method: string, params: unknown): Promise<Message>;
  until(matches: (message: Message) => boolean): Promise<Message>;
  contents(chatId?: string): Content[];
  /** Waits until a chat, or any chat, has ended this number of turns. */
  finished(turns: number, chatId?: string): Promise<Content[]>;
  /** Waits for a tool call of a chat, or of any, that waits for the user and was not seen before. */
  approval(chatId?: string): Promise<Content>;
  /** Ends stdin. */
  end(): void;
  readonly exited: Promise<number | null>;
}

const { program } = await bundle(import.meta.url, { program: "../../src/main.ts", ...toolWorker });

const unset = {
  OPENAI_BASE_URL: undefined,
  OPENAI_API_KEY: undefined,
  CODING_AGENT_MODEL: undefined,
  ECA_MCP_CONFIG: undefined,
};

/** Starts the server as editors do. The caller kills `child`. */
export function startServer(...args: readonly string[]): ServerProcess & { child: ChildProcessWithoutNullStreams } {
  const child = spawn(process.execPath, [program, "eca", "server", ...args], {
    stdio: "pipe",
    env: { ...process.env, ...unset },
  });
  const received: Message[] = [];
  const looks = new Set<() => void>();
  const asked = new Set<string>();
  const keyOf = ({ chatId, id }: Content): string => `${chatId} ${String(id)}`;
  let log = "";
  let rest = Buffer.alloc(0);
  let nextId = 1000;
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  child.stdin.on("error", () => {});
  child.stdout.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let message = take(); message !== undefined; message = take()) received.push(message);
    for (const look of [...looks]) look();
  });
  const exited = once(child, "close").then(([code]) => code as number | null);

  /** One frame by the letter; anything else on stdout is an error. */
  const take = (): Message | undefined => {
    const end = rest.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const [, length] = /^Content-Length: (\d+)$/.exec(rest.subarray(0, end).toString("latin1")) ?? [];
    if (length === undefined) throw new Error(`no frame: ${rest.subarray(0, 100).toString()}`);
    const bodyEnd = end + 4 + Number(length);
    if (rest.length < bodyEnd) return undefined;
    const message = JSON.parse(rest.subarray(end + 4, bodyEnd).toString()) as Message;
    rest = rest.subarray(bodyEnd);
    return message;
  };
  const when = <T>(find: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        looks.delete(look);
        resolve(found);
      };
      looks.add(look);
      look();
      void exited.then((code) => reject(new Error(`the server exited with ${code}: ${log}`)));
    });
  const write = (frame: string): void => void child.stdin.write(frame);
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const until: ServerProcess["until"] = (matches) => when(() => received.find(matches));
  const contents: ServerProcess["contents"] = (chatId) =>
    received.flatMap(({ method, params }) =>
      method === "chat/contentReceived" && (chatId === undefined || params?.["chatId"] === chatId)
        ? [{ chatId: params?.["chatId"], role: params?.["role"], ...(params?.["content"] as object) } as Content]
        : [],
    );
  return {
    child,
    received,
    exited,
    write,
    until,
    contents,
    log: () => log,
    notify: (method, params) => send({ method, params }),
    call(method, params) {
      const id = nextId++;
      send({ id, method, params });
      return until((message) => message.id === id && message.method === undefined);
    },
    finished: (turns, chatId) =>
      when(() =>
        contents(chatId).filter(({ state }) => state === "finished").length >= turns ? contents(chatId) : undefined,
      ),
    async approval(chatId) {
      const call = await when(() =>
        contents(chatId).find(
          (content) =>
            content.type === "toolCallRun" && content["manualApproval"] === true && !asked.has(keyOf(content)),
        ),
      );
      asked.add(keyOf(call));
      return call;
    },
    end: () => void child.stdin.end(),
  };
}
