import { createServer } from "node:http";
import { type HelixZedHost, helixZedProfiles, responseOf } from "@editwire/helix-zed";
import { dialHelixZed, helixZedHandler } from "@editwire/helix-zed/node";
import type { Contender } from "./contender.js";
import { type Errand, piece } from "./helix-errand.js";
import { listenOn } from "./web-sockets.js";

let dialed = 0;
let errands = 0;

/** The host and the agent of this repository, with its memory store and every message validated at both ends. */
export const contender: Contender = {
  async listen() {
    const host = helixZedHandler({
      maxConnections: 10_000,
      readyTimeoutMs: 1,
      onError: (error) => console.error(error),
      // An agent that wants to be busy says so with a thread of its user.
      onEvent: (event) =>
        event.type === "session" && void runErrand(host, event.agentId, JSON.parse(event.title ?? "") as Errand),
    });
    return listenOn(
      createServer().on("upgrade", (request, socket, head) => host.upgrade(request, socket, head)),
      "ws",
    );
  },
  async dial(address) {
    const sessionId = `session-${++dialed}`;
    let errand: { readonly does: Errand; readonly done: (sum: number) => void } | undefined;
    const connected = deferred();
    const agent = dialHelixZed(
      {
        async prompt(turn) {
          if (errand === undefined) return;
          if (turn.promptText !== "") return errand.done(Number(turn.promptText));
          for (let i = 0; i < errand.does.updates; i += 1) {
            const room = errand.does.apart ? turn.startMessage().text(piece) : turn.text(piece);
            if (room !== undefined) await room;
          }
        },
      },
      {
        url: address.replace(/^ws/, "http"),
        sessionId,
        profile: helixZedProfiles.v2026,
        pingMs: 600_000,
        onConnection: (state) => state.connected && connected.resolve(),
      },
    );
    await connected.promise;
    return {
      call: (_method, does) =>
        new Promise((resolve) => {
          errand = { does: does as Errand, done: resolve };
          void agent.notify("user_created_thread", {
            session_id: sessionId,
            acp_thread_id: `errand-${++errands}`,
            title: JSON.stringify(does),
          });
        }),
      update: () => {},
      close: () => agent.close(),
    };
  },
};

/** Asks for a number of turns, one after another, and ends with a message that states the length of the answers. */
async function runErrand(host: HelixZedHost, sessionId: string, { turns }: Errand): Promise<void> {
  const session = await host.session(sessionId);
  let sum = 0;
  for (let i = 0; i < turns; i += 1)
    sum += responseOf(await session.prompt("").interaction).replaceAll("\n\n", "").length;
  await session.prompt(String(sum)).stopReason;
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
