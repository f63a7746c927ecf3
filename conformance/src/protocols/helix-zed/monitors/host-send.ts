import { isObject } from "@editwire/core";
import { defineMonitor, type Monitor, type SeenMessage } from "../../../core/talk/monitor.js";
import type { TraceEntry } from "../../../trace/trace.js";
import { sessionOf } from "../as-agent.js";

type Json = Record<string, unknown>;

/** A chat_message of the host. */
interface Chat {
  readonly session: string;
  readonly requestId: string;
  readonly data: Json;
}

const role = "host";
/** Events that end the interaction that they name. */
const endings = ["message_completed", "chat_response_error", "thread_load_error", "turn_cancelled"];

function paramsOf(
  { from, is }: SeenMessage,
  party: SeenMessage["from"],
  ...methods: readonly string[]
): Json | undefined {
  if (from !== party || is.kind !== "notification" || !methods.includes(is.method) || !isObject(is.params))
    return undefined;
  return is.params;
}

function chatOf(seen: SeenMessage): Chat | undefined {
  const data = paramsOf(seen, "target", "chat_message");
  const [session, requestId] = [data && sessionOf(data), data?.["request_id"]];
  // A message without ids is invalid; another monitor reports that.
  if (data === undefined || session === undefined || requestId === undefined) return undefined;
  return { session: String(session), requestId: String(requestId), data };
}

/** The connection goes on as another one. */
function isBreak(entry: TraceEntry): boolean {
  return (
    entry.kind === "event" && entry.from === "suite" && (entry.name === "dropped" || entry.name === "reconnecting")
  );
}

/** Which session each request belongs to. */
function requests(): { add(chat: Chat): void; sessionOf(params: Json): string | undefined } {
  const sessions = new Map<unknown, string>();
  return {
    add: ({ requestId, session }) => void sessions.set(requestId, session),
    sessionOf: (params) =>
      sessions.get(params["request_id"]) ??
      (typeof params["session_id"] === "string" ? params["session_id"] : undefined),
  };
}

const requestIdMonitor = defineMonitor(
  {
    id: "helix-zed.host.request-ids",
    title: "every message has a request_id of its own",
    req: ["HELIX-SEND-002"],
    role,
  },
  (api) => {
    const all = new Map<string, string>();
    let onThisConnection = new Set<string>();
    return {
      entry: (entry) => void (isBreak(entry) && (onThisConnection = new Set())),
      message(seen) {
        const chat = chatOf(seen);
        if (chat === undefined) return;
        const { requestId, session } = chat;
        const isNew = (all.get(requestId) ?? session) === session && !onThisConnection.has(requestId);
        api.require("HELIX-SEND-002", isNew, seen.entry, {
          message: "a request_id that another message had",
          expected: "a new one",
          actual: requestId,
        });
        all.set(requestId, session);
        onThisConnection.add(requestId);
      },
    };
  },
);

const threadMonitor = defineMonitor(
  { id: "helix-zed.host.threads", title: "a session that has a thread is sent with it", req: ["HELIX-SEND-003"], role },
  (api) => {
    const asked = requests();
    const busy = new Set<string>();
    const threads = new Map<string, unknown[]>();
    return {
      entry(entry) {
        if (!isBreak(entry)) return;
        busy.clear();
        threads.clear();
      },
      message(seen) {
        const created = paramsOf(seen, "suite", "context_created");
        const session = created && asked.sessionOf(created);
        const named = created?.["acp_thread_id"];
        // Outside of a turn the host may send before it has read this.
        if (typeof named === "string" && session !== undefined && (busy.has(session) || threads.has(session))) {
          threads.set(session, [...(threads.get(session) ?? []), named]);
        }
        const ended = paramsOf(seen, "suite", ...endings);
        if (ended !== undefined) busy.delete(asked.sessionOf(ended) ?? "");
        // A host's handling of messages that the specification does not have is not judged here.
        const other = paramsOf(seen, "suite", "thread_load_error", "thread_created");
        if (other !== undefined) threads.delete(asked.sessionOf(other) ?? "");
        const chat = chatOf(seen);
        if (chat === undefined) return;
        asked.add(chat);
        busy.add(chat.session);
        const own = threads.get(chat.session);
        if (own === undefined || chat.data["interrupt"] === true) return;
        const thread = chat.data["acp_thread_id"];
        api.require("HELIX-SEND-003", own.includes(thread), seen.entry, {
          message: "not the thread of the session",
          expected: own,
          actual: thread,
        });
      },
    };
  },
);

const oneAtATimeMonitor = defineMonitor(
  {
    id: "helix-zed.host.one-at-a-time",
    title: "a session waits for its answer before it says more",
    req: ["HELIX-SEND-004"],
    role,
  },
  (api) => {
    const asked = requests();
    const waiting = new Map<string, string>();
    const over = new Set<unknown>();
    return {
      entry: (entry) => void (isBreak(entry) && waiting.clear()),
      message(seen) {
        const ended = paramsOf(seen, "suite", ...endings) ?? paramsOf(seen, "target", "cancel_current_turn");
        const session = ended && asked.sessionOf(ended);
        over.add(ended?.["request_id"]);
        if (
          ended !== undefined &&
          session !== undefined &&
          (ended["request_id"] === undefined || waiting.get(session) === ended["request_id"])
        )
          waiting.delete(session);
        const chat = chatOf(seen);
        if (chat === undefined) return;
        asked.add(chat);
        const before = waiting.get(chat.session);
        // The same message twice is another monitor's business.
        const isAlone = before === undefined || before === chat.requestId || chat.data["interrupt"] === true;
        api.require("HELIX-SEND-004", isAlone, seen.entry, {
          message: `${String(before)} waits for its answer`,
          expected: "no message of this session",
          actual: seen.entry.message,
        });
        // A repeated message may cross its end.
        if (!over.has(chat.requestId)) waiting.set(chat.session, chat.requestId);
      },
    };
  },
);

const noRoleMonitor = defineMonitor(
  { id: "helix-zed.host.no-role", title: "a message has no role", req: ["HELIX-SEND-005"], role },
  (api) => ({
    message(seen) {
      const chat = chatOf(seen);
      if (chat === undefined) return;
      const { role: given } = chat.data;
      api.require("HELIX-SEND-005", given === undefined, seen.entry, {
        message: "a role",
        expected: "no role",
        actual: given,
      });
    },
  }),
);

/** Monitors of the host's messages, for any user. */
export const hostMonitors: readonly Monitor[] = [requestIdMonitor, threadMonitor, oneAtATimeMonitor, noRoleMonitor];
