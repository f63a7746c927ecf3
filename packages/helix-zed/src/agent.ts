/// <reference lib="esnext.disposable" preserve="true" />
import { type Connection, WireError } from "@editwire/core";
import type { ChatMessageParams, HelixZed } from "@editwire/helix-zed-schema";
import { AgentLink } from "./agent-link.js";
import type { ZedAgentHandlers, ZedAgentOptions } from "./agent-options.js";
import { AgentThreads } from "./agent-threads.js";
import { AgentTurn } from "./agent-turn.js";
import { AgentTurns } from "./agent-turns.js";

/** An agent at work: it dials its host until it is closed. */
export interface ZedAgent {
  /** The host is there. */
  readonly connected: boolean;
  /** Sends any other message, such as `thread_title_changed`, if the host is there. A promise comes back only when it is slow. */
  notify: Connection<HelixZed, "agent">["notify"];
  /** Cancels the running turns, lets them end, for `cancelGraceMs` at most, and closes the connection. Calling it again is harmless. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves an agent to the host that `dial` reaches. A turn outlives its connection: what it says meanwhile is sent on the next
 * one. Sessions of the host are known for as long as their turns run. Throws a `TypeError` for handlers without `prompt`, and for a
 * `sessionId` that is empty or no text.
 */
export function createZedAgent(handlers: ZedAgentHandlers, options: ZedAgentOptions): ZedAgent {
  const { flushMs = 100, sessionId } = options;
  if (typeof handlers.prompt !== "function") throw new TypeError("an agent: expected the handler prompt");
  if (typeof sessionId !== "string" || sessionId === "")
    throw new TypeError("an agent: sessionId: expected the id under which it dials");
  const link = new AgentLink(options);
  const turns = new AgentTurns();
  const threads = new AgentThreads(handlers, link, options, (turn) => turns.ended(turn));

  let isClosing = false;

  const chat = (params: ChatMessageParams): void => {
    if (isClosing) return; // the host still has it, and asks the next agent
    const { request_id, acp_thread_id } = params;
    const known = turns.find(request_id);
    if (known === undefined && !turns.isForgotten(request_id)) {
      const turn = new AgentTurn(params, link, flushMs);
      turns.add(turn);
      return threads.accept(turn);
    }
    const repeated = known?.repeat(acp_thread_id !== null) === true;
    link.diagnose(
      "duplicate-request",
      "chat_message",
      `the request ${request_id} came again; ${repeated ? "what is known of its answer was repeated" : "it is ignored"}`,
    );
  };

  const running = link.run({
    chat,
    open: ({ acp_thread_id, request_id = "" }) => void threads.open(acp_thread_id, request_id),
    cancel: ({ request_id }) => threads.cancel(turns.find(request_id), request_id),
    connected() {
      for (const turn of turns.unheard()) turn.sync();
    },
  });

  const close = async (): Promise<void> => {
    isClosing = true;
    await threads.close();
    await link.close();
    await running;
  };

  return {
    get connected() {
      return link.connection !== undefined;
    },
    notify(name, params) {
      if (link.connection === undefined) throw new WireError("not_connected", `${name}: the host is not there`);
      return link.connection.notify(name, params);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
