import { mutant, type Mutant } from "../../../core/mutant.js";
import type { rightHost } from "../reference/host-behavior.js";
import { patch, sent } from "./host-patch.js";

const everything = { violates: [], cases: ["*"] } as const;

/** Numbers its requests. */
function numbered(): Partial<typeof rightHost> {
  let count = 0;
  return { requestId: () => String(++count) };
}

/** Hosts that are as right as the reference in a way of their own: nothing may be held against them. */
export const benignMutants: readonly Mutant[] = [
  mutant("helix-zed.host/benign-key-order", {
    ...everything,
    patch: patch({ outgoing: (message) => [Object.fromEntries(Object.entries(message).reverse())] }),
  }),
  mutant("helix-zed.host/benign-white-space", {
    ...everything,
    patch: patch({ encode: (message) => `\n${JSON.stringify(message, null, 2)}\n` }),
  }),
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
  mutant("helix-zed.host/benign-numbered-requests", { ...everything, patch: numbered }),
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
