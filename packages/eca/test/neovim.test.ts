import { readFileSync } from "node:fs";
import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";
import { ecaProfiles, serveEca } from "../src/index.js";

/** The messages of eca-nvim of September 2025 for one prompt, as they were recorded, without its process id. */
const recorded = readFileSync(new URL("fixtures/neovim-2025-09.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const end = recorded.pop() ?? "";

it.each(Object.values(ecaProfiles))(
  "answers what eca-nvim writes with its own chat id, a number, in $name",
  async (profile) => {
    const [near, far] = memoryPair();
    serveEca(near, { prompt: (turn) => turn.text("Hello") }, { profile });
    const received: { id?: number; result?: unknown; params?: { chatId?: unknown; content?: object } }[] = [];
    let wake = (): void => {};
    far.start({
      message: (message) => (received.push(message as (typeof received)[number]), wake()),
      malformed() {},
      closed() {},
    });
    const until = async (found: () => boolean): Promise<void> => {
      while (!found()) await new Promise<void>((resolve) => (wake = resolve));
    };
    const answered = (id: number) => (): boolean => received.some((message) => message.id === id);
    for (const [index, text] of recorded.entries()) {
      void far.send(text);
      if (index === 0) await until(answered(1));
    }
    await until(() => received.some(({ params }) => JSON.stringify(params?.content)?.includes("finished")));
    const chats = received.flatMap(({ params, result = params }) =>
      typeof result === "object" && result !== null && "chatId" in result ? [result.chatId] : [],
    );
    expect(new Set(chats)).toEqual(new Set([1]));
    expect(received.find(({ id }) => id === 3)?.result).toMatchObject({ chatId: 1 });
    expect(received.map(({ params }) => params?.content)).toContainEqual({ type: "text", text: "Hello" });
    void far.send(end);
    await until(answered(8));
  },
);
