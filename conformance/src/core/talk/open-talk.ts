import { matches } from "../../trace/pattern.js";
import { callOf } from "./call.js";
import type { Conversation, Responder } from "./conversation.js";
import { asIncoming, expectationsOf, quiet } from "./expect.js";
import type { Talk } from "./talk.js";
import { idle } from "./time.js";
import { handled, Waits, type WaitSetting } from "./waits.js";

/** A `Talk` that can be closed. */
export interface OpenTalk extends Talk {
  /** Rejects the waits that are still open, and restores the responders from before the case. */
  close(): void;
}

/** Creates a case's `Talk` on a connection. */
export function openTalk(setting: WaitSetting): OpenTalk {
  const { conversation, time } = setting;
  const waits = new Waits(setting);
  const replaced = new Map<string, Responder | undefined>();
  return {
    conversation,
    send: sendingOf(conversation, waits),
    expect: expectationsOf(waits),
    reply: (request, result) => conversation.reply(request.id, result),
    refuse: (request, error) => conversation.refuse(request.id, error),
    answer(method, responder) {
      if (!replaced.has(method)) replaced.set(method, conversation.responders.get(method));
      conversation.responders.set(method, responder);
    },
    quiet: (ms, forbidden) => handled(quiet(waits, ms, forbidden)),
    pace: (ms) => idle(time.paced(ms)),
    rest: (method, params) =>
      waits
        .unread()
        .flatMap((one) => asIncoming(one, "request") ?? asIncoming(one, "notification") ?? [])
        .filter((one) => (method === undefined || one.method === method) && matches(one.params, params)),
    history: () => waits.history(),
    now: () => waits.now(),
    close() {
      waits.close();
      for (const [method, responder] of replaced) {
        if (responder === undefined) conversation.responders.delete(method);
        else conversation.responders.set(method, responder);
      }
    },
  };
}

function sendingOf(conversation: Conversation, waits: Waits): Talk["send"] {
  return {
    request: (method, params) => callOf(waits, conversation.request(method, params), method),
    notify: (method, params) => conversation.notify(method, params),
    invalid(content) {
      conversation.sendInvalid(content);
      const is = conversation.envelope.classify(content);
      const { id, method = "a message" } = { ...(content as object), ...is } as { id?: unknown; method?: unknown };
      return callOf(waits, id, String(method), `malformed ${String(method)}`);
    },
    bytes: (bytes) => conversation.link.sendBytes(bytes),
  };
}
