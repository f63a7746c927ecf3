import { isObject } from "@editwire/core";
import { mutant, type Mutant } from "../../../core/mutant.js";
import type { BackendBehavior, BackendWords } from "../reference/backend-behavior.js";
import type { PluginBehavior } from "../reference/plugin-behavior.js";
import type { Json } from "../reference/tool-failure.js";
import { v2Backend, v2Plugin } from "../reference/v2.js";
import { told } from "../v2.js";

type Facts = Pick<Mutant, "violates" | "collateral" | "cases">;

const backend = (id: string, facts: Facts, switches: Partial<BackendBehavior> = {}): Mutant =>
  mutant(`sman.backend/${id}`, { ...facts, profile: "v2", patch: { ...v2Backend, ...switches } });
const plugin = (id: string, facts: Facts, switches: Partial<PluginBehavior> = {}): Mutant =>
  mutant(`sman.plugin/${id}`, { ...facts, profile: "v2", patch: { ...v2Plugin, ...switches } });

/** Changes what is said of one type; nothing is said where `change` gives nothing. */
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

/** Changes the data of what is said of one type. */
const having = (type: string, fields: Json): Partial<BackendBehavior> =>
  said(type, (data, message) => ({ ...message, data: { ...data, ...fields } }));

const everything = { violates: [], cases: ["*"] } as const;
const stopped = ["sman.backend.v2.stop"];

/** Backends of 2.0 that are broken in one way each, and some that are not. */
export const v2Backends: readonly Mutant[] = [
  backend(
    "greets-without-a-project",
    { violates: ["SMAN-V2-001"], collateral: ["SMAN-V2-003"], cases: ["sman.backend.v2.connected"] },
    having("CONNECTED", { projectKey: undefined }),
  ),
  backend(
    "counts-chunks-in-texts",
    { violates: ["SMAN-V2-001"], cases: ["sman.backend.v2.chat-*"] },
    having("STREAMING_CONTENT", { chunkIndex: "0" }),
  ),
  backend(
    "stops-without-a-time",
    { violates: ["SMAN-V2-002"], cases: stopped },
    said("STOPPED", ({ ...data }, { type }) => ({ type, data })),
  ),
  backend(
    "stops-at-the-root",
    { violates: ["SMAN-V2-002"], collateral: ["SMAN-V2-001", "SMAN-V2-007"], cases: stopped },
    said("STOPPED", (data, { type, timestamp }) => ({ type, ...data, timestamp })),
  ),
  backend("greets-nobody", { violates: ["SMAN-V2-003"] }, { greeting: () => [] }),
  backend("greets-somebody-else", { violates: ["SMAN-V2-003"] }, having("CONNECTED", { sessionId: "somebody" })),
  backend(
    "streams-before-it-greets",
    { violates: ["SMAN-V2-003"] },
    {
      greeting: (site) => [
        told("STREAMING_CONTENT", { sessionId: site.session, content: "" }),
        ...v2Backend.greeting(site),
      ],
    },
  ),
  backend("pongs-with-its-own-time", { violates: ["SMAN-V2-004"] }, having("PONG", { timestamp: 1 })),
  backend(
    "silent-about-pings",
    { violates: ["SMAN-V2-004"], collateral: ["SMAN-V2-009"] },
    said("PONG", () => undefined),
  ),
  backend(
    "silent-about-unknown-types",
    { violates: ["SMAN-V2-005"] },
    said("ERROR", (data, message) => (data["errorCode"] === "UNKNOWN_MESSAGE_TYPE" ? undefined : message)),
  ),
  ...["INVALID_MESSAGE", "MESSAGE_PARSE_ERROR"].map((code) =>
    backend(
      `silent-about-${code.toLowerCase().replaceAll("_", "-")}`,
      { violates: ["SMAN-V2-006"] },
      said("ERROR", (data, message) => (data["errorCode"] === code ? undefined : message)),
    ),
  ),
  backend(
    "never-stopped",
    { violates: ["SMAN-V2-007"] },
    said("STOPPED", () => undefined),
  ),
  backend("stops-another", { violates: ["SMAN-V2-007"] }, having("STOPPED", { sessionId: "another" })),
  backend(
    "never-ends-an-answer",
    { violates: ["SMAN-V2-008"], collateral: ["SMAN-V2-009"] },
    having("AGENT_RESPONSE", { status: "PROCESSING" }),
  ),
  backend(
    "answers-for-the-connection",
    { violates: ["SMAN-V2-008"], cases: ["sman.backend.v2.chat-of-its-own"] },
    { words: (what, message, site) => v2Backend.words(what, forgotten(message), site) },
  ),
  backend("deaf-in-chats", { violates: ["SMAN-V2-009"] }, { isDeafInChats: true }),
  backend("benign-v2", everything),
  backend(
    "benign-v2-progress",
    everything,
    said("STREAMING_CONTENT", (data) => ({
      type: "AGENT_RESPONSE",
      data: { ...data, status: "PROCESSING" },
      timestamp: Date.now(),
    })),
  ),
  backend("benign-v2-success", everything, having("AGENT_RESPONSE", { status: "SUCCESS", workerId: "worker-1" })),
  backend("benign-v2-reads-nothing", everything, {
    words(what, message, site) {
      const { messages, afterwards = [] }: BackendWords = v2Backend.words(what, message, site);
      return { messages: [...messages, ...afterwards] };
    },
  }),
];

/** A chat without its session. */
function forgotten({ data, ...message }: Json): Json {
  return { ...message, data: isObject(data) ? { ...data, sessionId: "" } : data };
}

/** Plugins of 2.0 that are broken in one way each, and some that are not. */
export const v2Plugins: readonly Mutant[] = [
  plugin(
    "chats-without-a-message",
    { violates: ["SMAN-V2-020"], cases: ["sman.plugin.calls.parallel"] },
    { greeting: () => [{ type: "AGENT_CHAT", data: { sessionId: "" } }] },
  ),
  plugin(
    "pings-with-a-text",
    { violates: ["SMAN-V2-020"], cases: ["sman.plugin.v2.news"] },
    { words: () => [{ type: "PING", data: { timestamp: "2026-01-06" } }] },
  ),
  plugin("dies-of-news", { violates: ["SMAN-V2-021"], cases: ["sman.plugin.v2.news"] }, dyingOf("STOPPED")),
  plugin("dies-of-chunks", { violates: ["SMAN-V2-022"], cases: ["sman.plugin.v2.chat"] }, dyingOf("STREAMING_CONTENT")),
  plugin("benign-v2", everything),
  plugin("benign-v2-says-nothing", everything, { greeting: () => [], words: () => [] }),
  plugin("benign-v2-stops", everything, {
    words: ({ type }) => (type === "PONG" ? [{ type: "STOP", data: { sessionId: "" } }] : []),
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
