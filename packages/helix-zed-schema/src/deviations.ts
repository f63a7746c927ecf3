import { type Change, type Deviation, isObject, methodsOf } from "@editwire/core";
import { addedMessages, helixZed } from "./protocol.js";
import { fields, hostSession, isId, noSession, nullThread } from "./rewrites.js";

type Facts = Pick<Deviation, "id" | "summary" | "seen" | "methods">;

/** A row that makes what the model refuses fit it; it matches where `change` would change something. */
function repaired(facts: Facts, change: Change): Deviation {
  return { ...facts, part: "params", matches: (params) => change(params) !== params, repair: change };
}

const events = methodsOf(helixZed)
  .filter(([, { from }]) => from === "agent")
  .map(([name]) => name);
const creations = ["context_created", "thread_created"];
const answers = ["message_added", "message_completed"];

const noThread = repaired(
  {
    id: "no-thread",
    summary: "a chat_message whose acp_thread_id is missing or empty, which is read as null",
    seen: "Helix 2025-10 and later",
    methods: ["chat_message"],
  },
  nullThread,
);
const sessionField = repaired(
  {
    id: "session-field",
    summary: "a chat_message that names its session in session_id only",
    seen: "Helix 2025-10 and later",
    methods: ["chat_message"],
  },
  hostSession,
);
const silentSession = repaired(
  { id: "no-session", summary: "an event without session_id", seen: "Zed since 2025-10-03", methods: events },
  noSession,
);

/**
 * Writes an id that is a number as a string, and a missing one as an empty string. Other values stay and are refused.
 */
function textId(name: string): Change {
  return fields((params) => {
    const id = params[name] ?? "";
    return typeof id === "number" || (id === "" && params[name] !== "") ? { ...params, [name]: String(id) } : params;
  });
}

/** The deviations that are read in either dialect. */
const common: readonly Deviation[] = [
  repaired(
    {
      id: "context-id",
      summary: "a context_id instead of acp_thread_id",
      seen: "accepted by Helix",
      methods: [...creations, ...answers],
    },
    fields((params) =>
      params["acp_thread_id"] === undefined && isId(params["context_id"])
        ? { ...params, acp_thread_id: params["context_id"] }
        : params,
    ),
  ),
  repaired(
    {
      id: "session-twice",
      summary: "a context_created whose helix_session_id is missing or differs from session_id, which counts",
      seen: "no recorded peer",
      methods: ["context_created"],
    },
    fields((params) =>
      typeof params["session_id"] === "string" && params["helix_session_id"] !== params["session_id"]
        ? { ...params, helix_session_id: params["session_id"] }
        : params,
    ),
  ),
  repaired(
    {
      id: "message-id",
      summary: "a message_id that is a number or missing",
      seen: "Zed 2025-09; it counts its entries",
      methods: [...answers, "message_updated"],
    },
    textId("message_id"),
  ),
  repaired(
    {
      id: "no-request",
      summary: "a message_completed without request_id, or with a number",
      seen: "Zed 2025-10",
      methods: ["message_completed"],
    },
    textId("request_id"),
  ),
  repaired(
    {
      id: "no-role",
      summary: "a message_added without role, which is read as assistant",
      seen: "no recorded peer",
      methods: ["message_added"],
    },
    fields((params) => (params["role"] === undefined ? { ...params, role: "assistant" } : params)),
  ),
  repaired(
    {
      id: "timestamp",
      summary: "a timestamp that is missing, a string or in milliseconds",
      seen: "Zed 2025-10 (RFC 3339)",
      methods: ["message_added"],
    },
    fields((params) => {
      const timestamp = secondsOf(params["timestamp"]);
      return timestamp === params["timestamp"] ? params : { ...params, timestamp };
    }),
  ),
  repaired(
    {
      id: "no-thread-id",
      summary: "an agent_ready without thread_id",
      seen: "no recorded peer",
      methods: ["agent_ready"],
    },
    fields((params) => (params["thread_id"] === undefined ? { ...params, thread_id: null } : params)),
  ),
];

/** Forms that the specification does not have. They are used unchanged. */
const newer: readonly Deviation[] = [
  {
    id: "newer-message",
    summary: "a message that the specification does not have",
    seen: "Helix and Zed since 2025-10",
    methods: addedMessages,
    part: "params",
    matches: isObject,
  },
  {
    id: "other-role",
    summary: "a message_added of the user or the system",
    seen: "Zed since 2025-10",
    methods: ["message_added"],
    part: "params",
    matches: (params) => isObject(params) && (params["role"] === "user" || params["role"] === "system"),
  },
];

/** The deviations that are read from a peer of the specification. */
export const specDeviations: readonly Deviation[] = [noThread, sessionField, silentSession, ...common, ...newer];

/** The deviations that are read from a peer of 2026. */
export const v2026Deviations: readonly Deviation[] = common;

/** A larger number is one of milliseconds. */
const latest = 100_000_000_000;

/** A timestamp of a peer as whole seconds since 1970. One that cannot be read counts as now. */
function secondsOf(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  const read = typeof value === "string" && Number.isNaN(number) ? Date.parse(value) : number;
  if (typeof read !== "number" || !(read >= 0 && read < latest * 1_000)) return Math.floor(Date.now() / 1_000);
  return Math.floor(read >= latest ? read / 1_000 : read);
}
