import type { Contender } from "./contender.js";
import { type Errand, piece } from "./helix-errand.js";
import { dialWebSocket, listenWebSocket } from "./web-sockets.js";

interface Frame {
  readonly type?: string;
  readonly event_type?: string;
  readonly data: {
    readonly request_id: string;
    readonly message_id: string;
    readonly message: string;
    readonly content: string;
    readonly title: string;
  };
}

/**
 * The same frames over `ws`: `JSON.parse`, a map, and one plain `send` for each. Nothing is validated and nothing is
 * kept.
 */
export const contender: Contender = {
  listen: () =>
    listenWebSocket((socket) => {
      const messages = new Map<string, string>();
      let left = 0;
      let sum = 0;
      const ask = (message: string): void => {
        const data = { helix_session_id: "s", acp_thread_id: null, message, request_id: `req_${crypto.randomUUID()}` };
        void socket.send(JSON.stringify({ type: "chat_message", data }));
      };
      socket.onText((text) => {
        const { event_type, data } = JSON.parse(text) as Frame;
        if (event_type === "message_added") return void messages.set(data.message_id, data.content);
        if (event_type === "user_created_thread") {
          left = (JSON.parse(data.title) as Errand).turns;
          sum = 0;
        } else {
          for (const content of messages.values()) sum += content.length;
          messages.clear();
          left -= 1;
        }
        if (left >= 0) ask(left === 0 ? String(sum) : "");
      });
    }),
  async dial(address) {
    const socket = await dialWebSocket(`${address}/api/v1/external-agents/sync?session_id=s`);
    let errand: { readonly does: Errand; readonly done: (sum: number) => void } | undefined;
    const say = (event_type: string, data: object): void | Promise<void> =>
      socket.send(JSON.stringify({ session_id: "s", event_type, data }));
    const answer = async (
      { message, request_id }: Frame["data"],
      { does, done }: NonNullable<typeof errand>,
    ): Promise<void> => {
      if (message !== "") done(Number(message));
      let id = `ai_msg_${crypto.randomUUID()}`;
      let content = "";
      for (let i = 0; message === "" && i < does.updates; i += 1) {
        if (does.apart) id = `ai_msg_${crypto.randomUUID()}`;
        content = does.apart ? piece : content + piece;
        const room = say("message_added", {
          acp_thread_id: "t",
          request_id,
          message_id: id,
          role: "assistant",
          content,
          timestamp: Math.floor(Date.now() / 1_000),
          entry_type: "text",
        });
        if (room !== undefined) await room;
      }
      await say("message_completed", { acp_thread_id: "t", message_id: id, request_id });
    };
    socket.onText((text) => {
      if (errand !== undefined) void answer((JSON.parse(text) as Frame).data, errand);
    });
    return {
      call: (_method, does) =>
        new Promise((resolve) => {
          errand = { does: does as Errand, done: resolve };
          void say("user_created_thread", { acp_thread_id: "errand", title: JSON.stringify(does) });
        }),
      update: () => {},
      close: () => socket.close(),
    };
  },
};
