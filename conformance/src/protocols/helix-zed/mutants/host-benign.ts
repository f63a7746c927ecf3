import { randomUUID } from "node:crypto";
import { benignTexts } from "../../../packs/benign.js";
import type { Mutant } from "../../../core/mutant.js";
import type { rightHost } from "../reference/host-behavior.js";
import { benign, in2026, sent } from "./host-patch.js";

/** Makes the ids of its requests of their numbers. */
const counting = (id: (count: number) => string) => (): Partial<typeof rightHost> => {
  let count = 0;
  return { requestId: () => id(++count) };
};

/** Hosts that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignMutants: readonly Mutant[] = [
  ...benignTexts("helix-zed.host", { requestId: () => `requests/${randomUUID()}` }),
  ...benign({
    "fields-of-2026": sent("chat_message", (data) => ({
      ...data,
      session_id: data["helix_session_id"],
      agent_name: "zed",
      interrupt: false,
      from_queue: true,
    })),
    "numbered-requests": counting(String),
    "requests-in-words": counting((count) => `請求 ${count} "😀"`),
    "long-requests": counting((count) => String(count).padStart(600, "0")),
    "own-fields": {
      outgoing: (message) => [
        { ...message, "x-trace": 1, data: { ...(message["data"] as object), "x-vendor": { deep: [null] } } },
      ],
    },
    "cancels-with-a-reason": { cancel: (request_id) => ({ request_id, reason: "user", timestamp: 1 }) },
    "opens-threads": {
      greeting: ({ thread }) => (thread === null ? [] : [{ type: "open_thread", data: { acp_thread_id: thread } }]),
    },
    "keeps-old-connections": { closesOlder: false },
    "shows-everybody": { isAnswer: () => true },
    slow: { schedule: (work) => void setImmediate(work) },
    "tells-nothing": { report: () => ({}) },
    "tells-little": {
      report: ({ interactions }) => ({ interactions: interactions.map(({ message, state }) => ({ message, state })) }),
    },
  }),
  ...in2026.benign({ "waits-for-the-agent": { readyMs: (ms) => (ms === 0 ? 60_000 : ms) } }),
];
