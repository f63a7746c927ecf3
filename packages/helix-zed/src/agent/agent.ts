/// <reference lib="esnext.disposable" preserve="true" />
import type { Connection } from "@editwire/core";
import type { HelixZed, HelixZedParams } from "@editwire/helix-zed-schema";
import { checkBinding, checkCallable, checkHandler, checkText } from "@editwire/session";
import { AgentLink } from "./link.js";
import type { HelixZedAgent, HelixZedAgentOptions } from "./api.js";
import { AgentThreads } from "./threads.js";
import { AgentTurn } from "./turn.js";
import { AgentTurns } from "./turns.js";

/** An agent that dials its host until it is closed. */
export interface HelixZedAgentConnection {
  /** The host is connected. */
  readonly connected: boolean;
  /**
   * Sends any other message, such as `thread_title_changed`. A promise comes back only when the host is slow. Throws
   * `WireError("not_connected")` when the host is not connected.
   */
  notify: Connection<HelixZed, "agent">["notify"];
  /**
   * Cancels the running turns, waits at most `cancelGraceMs` for their ends, and closes the connection. The host
   * learns that they were cut off: by `chat_response_error`, or in the specification's dialect by a last message of an
   * answer that has begun.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves an agent to the host that `dial` reaches. A turn outlives its connection: what the turn sends in the meantime
 * is sent on the next one. Throws a `TypeError` for handlers without `prompt`, and for a `sessionId` that is not a
 * string or is empty.
 */
export function createHelixZedAgent(handlers: HelixZedAgent, options: HelixZedAgentOptions): HelixZedAgentConnection {
  checkAgent("createHelixZedAgent", handlers, options);
  checkCallable("createHelixZedAgent", "dial", options.dial);
  const { flushMs = 100 } = options;
  const link = new AgentLink(options);
  const turns = new AgentTurns();
  const threads = new AgentThreads(handlers, link, options, (turn) => turns.ended(turn));

  let isClosing = false;

  const chat = (params: HelixZedParams<"chat_message">): void => {
    if (isClosing) return; // the host still has it, and asks the next agent
    const known = turns.same(params);
    if (known === undefined && !turns.isForgotten(params)) {
      const turn = new AgentTurn(params, link, flushMs);
      turns.add(turn);
      return threads.accept(turn);
    }
    const isRepeated = known?.repeat(params.acp_thread_id !== null) === true;
    const fate = isRepeated ? "what is known of its answer was sent again" : "it is ignored";
    link.diagnose("duplicate-request", "chat_message", `the request ${params.request_id} came again; ${fate}`);
  };

  link.run({
    chat,
    open: ({ acp_thread_id, request_id = "" }) => void threads.open(acp_thread_id, request_id),
    cancel: ({ request_id }) => threads.cancel(turns.find(request_id), request_id),
    connected() {
      for (const turn of turns.unsent()) turn.sync();
    },
  });

  const close = async (): Promise<void> => {
    isClosing = true;
    await threads.close();
    await link.close();
  };

  return {
    get connected() {
      return link.connection !== undefined;
    },
    notify: link.notify,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Throws a `TypeError` for what is not an agent, and for wrong options. `name` is the function that got them. */
export function checkAgent(name: string, agent: HelixZedAgent, options: Omit<HelixZedAgentOptions, "dial">): void {
  checkHandler(name, "the agent", agent, "prompt");
  checkBinding(name, "helixZedProfiles", options);
  checkText(name, "sessionId", options.sessionId);
}
