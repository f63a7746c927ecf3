import { mutant, type Mutant } from "../../../core/mutant.js";
import type { rightHost } from "../reference/host-behavior.js";
import { reaction, patch } from "./host-patch.js";

const known = ["acp_thread_id", "helix_session_id", "message_id", "role", "content", "timestamp", "request_id"];
const isUpdate = (name: string): boolean => name === "message_added";

/** Every second one of many updates of a message is late. */
function shuffled(): Partial<typeof rightHost> {
  let count = 0;
  return { schedule: (work) => void (++count > 50 && count % 2 === 0 ? setTimeout(work, 5) : work()) };
}

/** Updates are lost when there are many of a message. */
function lossy(): Partial<typeof rightHost> {
  const counts = new Map<unknown, number>();
  return reaction("drop", ({ name, data }) => {
    const count = (counts.get(data["message_id"]) ?? 0) + 1;
    counts.set(data["message_id"], count);
    return isUpdate(name) && count > 64;
  });
}

/** Says whether one of the WebSocket frames that a chunk begins with is not the last one of its message. */
function hasFragment(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk);
  for (let at = 0; at + 8 < bytes.length; ) {
    if ((bytes.readUInt8(at) & 0x80) === 0) return true;
    const short = bytes.readUInt8(at + 1) & 0x7f;
    const [size, header] =
      short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(at + 2), 4] : [bytes.length, 10];
    at += header + 4 + size;
  }
  return false;
}

/** Hosts that cannot read what agents send. */
export const readMutants: readonly Mutant[] = [
  mutant("helix-zed.host/knows-no-thread-created", {
    violates: ["HELIX-READ-001"],
    cases: ["helix-zed.host.read.thread-created"],
    patch: patch({ eventName: (name) => name }),
  }),
  mutant("helix-zed.host/knows-no-context-id", {
    violates: ["HELIX-READ-001"],
    cases: ["helix-zed.host.read.context-id"],
    patch: patch({ threadOf: (data) => data["acp_thread_id"] }),
  }),
  mutant("helix-zed.host/wants-the-session", {
    violates: ["HELIX-READ-001"],
    cases: ["helix-zed.host.read.no-session"],
    patch: reaction("drop", ({ session }) => typeof session !== "string"),
  }),
  mutant("helix-zed.host/dies-of-unknown-events", {
    violates: ["HELIX-READ-002"],
    patch: patch({ unknownEvent: () => "die" }),
  }),
  mutant("helix-zed.host/takes-anything-for-an-update", {
    violates: ["HELIX-READ-002"],
    patch: patch({ eventName: (name) => (name === "dance" ? "message_added" : name) }),
  }),
  mutant("helix-zed.host/dies-of-bad-frames", {
    violates: ["HELIX-READ-003"],
    cases: ["helix-zed.host.robust.frame-*"],
    patch: patch({ badFrame: () => "die" }),
  }),
  mutant("helix-zed.host/dies-of-bad-objects", {
    violates: ["HELIX-READ-003"],
    collateral: ["HELIX-READ-002"],
    cases: [
      "helix-zed.host.robust.frame-null",
      "helix-zed.host.wrong.*.data-missing",
      "helix-zed.host.robust.type-number",
    ],
    patch: patch({ badFrame: () => "die" }),
  }),
  mutant("helix-zed.host/dies-of-bad-fields", {
    violates: ["HELIX-READ-003"],
    cases: ["helix-zed.host.wrong.message-added.content-*"],
    patch: reaction("die", ({ name, data }) => isUpdate(name) && typeof data["content"] !== "string"),
  }),
  mutant("helix-zed.host/dies-of-numbers-for-times", {
    violates: ["HELIX-READ-003"],
    cases: ["helix-zed.host.wrong.root-timestamp"],
    patch: reaction("die", ({ message }) => typeof message["timestamp"] === "number"),
  }),
  mutant("helix-zed.host/wants-seconds", {
    violates: ["HELIX-READ-004"],
    patch: reaction("drop", ({ name, data }) => isUpdate(name) && !(Number(data["timestamp"]) < 1e11)),
  }),
  mutant("helix-zed.host/wants-numbers-for-times", {
    violates: ["HELIX-READ-004"],
    patch: reaction("die", ({ name, data }) => isUpdate(name) && typeof data["timestamp"] === "string"),
  }),
  mutant("helix-zed.host/knows-assistants-only", {
    violates: ["HELIX-READ-004"],
    patch: reaction("die", ({ name, data }) => isUpdate(name) && data["role"] !== "assistant"),
  }),
  mutant("helix-zed.host/drops-large-contents", {
    violates: ["HELIX-READ-005"],
    cases: ["helix-zed.host.read.large"],
    patch: reaction("drop", ({ data }) => String(data["content"]).length > 65_536),
  }),
  mutant("helix-zed.host/loses-updates", {
    violates: ["HELIX-READ-005"],
    cases: ["helix-zed.host.read.many"],
    patch: lossy,
  }),
  mutant("helix-zed.host/shuffles-updates", {
    violates: ["HELIX-READ-005"],
    cases: ["helix-zed.host.read.many"],
    patch: shuffled,
  }),
  mutant("helix-zed.host/wants-known-fields", {
    violates: ["HELIX-READ-006"],
    patch: reaction("drop", ({ data }) => Object.keys(data).some((name) => !known.includes(name))),
  }),
  mutant("helix-zed.host/reads-whole-frames", {
    violates: ["HELIX-READ-007"],
    patch: patch({ bytes: (chunk) => (hasFragment(chunk) ? "die" : "take") }),
  }),
  mutant("helix-zed.host/reads-texts-only", {
    violates: ["HELIX-READ-008"],
    patch: patch({
      read: (bytes, isBinary) => (isBinary ? undefined : JSON.parse(Buffer.from(bytes).toString("utf8"))),
    }),
  }),
];
