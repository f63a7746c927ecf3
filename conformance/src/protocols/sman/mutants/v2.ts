import { isObject } from "@editwire/core";
import { type Mutant, mutantsOf } from "../../../core/mutant.js";
import type { BackendBehavior, BackendWords } from "../reference/backend-behavior.js";
import type { PluginBehavior } from "../reference/plugin-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { v2Backend, v2Plugin } from "../reference/v2.js";

const backends = mutantsOf<BackendBehavior>("sman.backend", "SMAN", { profile: "v2", patch: v2Backend });
const plugins = mutantsOf<PluginBehavior>("sman.plugin", "SMAN", { profile: "v2", patch: v2Plugin });

/** Changes the messages of one type; a message for which `change` returns nothing is not sent. */
function said(type: string, change: (data: Json, message: Json) => Json | undefined): Partial<BackendBehavior> {
  const changed = (messages: readonly Json[]): Json[] =>
    messages.flatMap((message): readonly Json[] | Json =>
      message["type"] === type ? (change(isObject(message["data"]) ? message["data"] : {}, message) ?? []) : message,
    );
  const words: BackendBehavior["words"] = (what, message, site) => {
    const { messages, reads, afterwards = [] }: BackendWords = v2Backend.words(what, message, site);
    return { messages: changed(messages), reads, afterwards: changed(afterwards) };
  };
  return { greeting: (site) => changed(v2Backend.greeting(site)), words };
}

/** Changes the data of the messages of one type. */
const having = (type: string, fields: Json): Partial<BackendBehavior> =>
  said(type, (data, message) => ({ ...message, data: { ...data, ...fields } }));

const stopped = ["v2.stop"];

/** Backends of 2.0 that are broken in one way each, and some that are not. */
export const v2Backends: readonly Mutant[] = [
  ...backends.broken({
    "counts-chunks-in-texts": ["V2-001", having("STREAMING_CONTENT", { chunkIndex: "0" }), { cases: ["v2.chat-*"] }],
    "stops-at-the-root": [
      "V2-002",
      said("STOPPED", (data, { type, timestamp }) => ({ type, ...data, timestamp })),
      { collateral: ["V2-001", "V2-007"], cases: stopped },
    ],
    "greets-somebody-else": ["V2-003", having("CONNECTED", { sessionId: "somebody" })],
    "silent-about-pings": ["V2-004", said("PONG", () => undefined), { collateral: ["V2-009"] }],
    "silent-about-unknown-types": [
      "V2-005",
      said("ERROR", (data, message) => (data["errorCode"] === "UNKNOWN_MESSAGE_TYPE" ? undefined : message)),
    ],
  }),
  ...["INVALID_MESSAGE", "MESSAGE_PARSE_ERROR"].flatMap((code) =>
    backends.broken({
      [`silent-about-${code.toLowerCase().replaceAll("_", "-")}`]: [
        "V2-006",
        said("ERROR", (data, message) => (data["errorCode"] === code ? undefined : message)),
      ],
    }),
  ),
  ...backends.broken({
    "stops-another": ["V2-007", having("STOPPED", { sessionId: "another" })],
    "never-ends-an-answer": ["V2-008", having("AGENT_RESPONSE", { status: "PROCESSING" }), { collateral: ["V2-009"] }],
    "deaf-in-chats": ["V2-009", { isDeafInChats: true }],
  }),
  ...backends.benign({
    v2: {},
    "v2-progress": said("STREAMING_CONTENT", (data) => ({
      type: "AGENT_RESPONSE",
      data: { ...data, status: "PROCESSING" },
      timestamp: Date.now(),
    })),
    "v2-success": having("AGENT_RESPONSE", { status: "SUCCESS", workerId: "worker-1" }),
    "v2-reads-nothing": {
      words(what, message, site) {
        const { messages, afterwards = [] }: BackendWords = v2Backend.words(what, message, site);
        return { messages: [...messages, ...afterwards] };
      },
    },
  }),
];

/** Plugins of 2.0 that are broken in one way each, and some that are not. */
export const v2Plugins: readonly Mutant[] = [
  ...plugins.broken({
    "pings-with-a-text": [
      "V2-020",
      { words: () => [{ type: "PING", data: { timestamp: "2026-01-06" } }] },
      { cases: ["v2.news"] },
    ],
    "dies-of-news": ["V2-021", dyingOf("STOPPED")],
    "dies-of-chunks": ["V2-022", dyingOf("STREAMING_CONTENT")],
  }),
  ...plugins.benign({
    v2: {},
    "v2-says-nothing": { greeting: () => [], words: () => [] },
    "v2-stops": { words: ({ type }) => (type === "PONG" ? [{ type: "STOP", data: { sessionId: "" } }] : []) },
  }),
];

/** Dies of a message of one type. */
function dyingOf(type: string): Partial<PluginBehavior> {
  let isDying = false;
  return {
    words(message) {
      isDying = message["type"] === type;
      return [];
    },
    survives: (odd) => odd !== "unknown-type" || !isDying,
  };
}
