import { randomUUID } from "node:crypto";
import { benignTexts } from "../../../packs/benign.js";
import { mutant, type Mutant } from "../../../core/mutant.js";
import type { rightHost } from "../reference/host-behavior.js";
import { patch, sent } from "./host-patch.js";

const everything = { violates: [], cases: ["*"] } as const;

/** Makes the ids of its requests of their numbers. */
const counting = (id: (count: number) => string) => (): Partial<typeof rightHost> => {
  let count = 0;
  return { requestId: () => id(++count) };
};

/** Hosts that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignMutants: readonly Mutant[] = [
  ...benignTexts("helix-zed.host", { requestId: () => `requests/${randomUUID()}` }),
  mutant("helix-zed.host/benign-fields-of-2026", {
    ...everything,
    patch: sent("chat_message", (data) => ({
      ...data,
      session_id: data["helix_session_id"],
      agent_name: "zed",
      interrupt: false,
      from_queue: true,
    })),
  }),
  mutant("helix-zed.host/benign-numbered-requests", { ...everything, patch: counting(String) }),
  mutant("helix-zed.host/benign-requests-in-words", {
    ...everything,
    patch: counting((count) => `請求 ${count} "😀"`),
  }),
  mutant("helix-zed.host/benign-long-requests", {
    ...everything,
    patch: counting((count) => String(count).padStart(600, "0")),
  }),
  mutant("helix-zed.host/benign-own-fields", {
    ...everything,
    patch: patch({
      outgoing: (message) => [
        { ...message, "x-trace": 1, data: { ...(message["data"] as object), "x-vendor": { deep: [null] } } },
      ],
    }),
  }),
  mutant("helix-zed.host/benign-cancels-with-a-reason", {
    ...everything,
    patch: patch({ cancel: (request_id) => ({ request_id, reason: "user", timestamp: 1 }) }),
  }),
  mutant("helix-zed.host/benign-opens-threads", {
    ...everything,
    patch: patch({
      greeting: ({ thread }) => (thread === null ? [] : [{ type: "open_thread", data: { acp_thread_id: thread } }]),
    }),
  }),
  mutant("helix-zed.host/benign-keeps-old-connections", { ...everything, patch: patch({ closesOlder: false }) }),
  mutant("helix-zed.host/benign-shows-everybody", { ...everything, patch: patch({ isAnswer: () => true }) }),
  mutant("helix-zed.host/benign-slow", {
    ...everything,
    patch: patch({ schedule: (work) => void setImmediate(work) }),
  }),
  mutant("helix-zed.host/benign-tells-nothing", { ...everything, patch: patch({ report: () => ({}) }) }),
  mutant("helix-zed.host/benign-tells-little", {
    ...everything,
    patch: patch({
      report: ({ interactions }) => ({ interactions: interactions.map(({ message, state }) => ({ message, state })) }),
    }),
  }),
];
