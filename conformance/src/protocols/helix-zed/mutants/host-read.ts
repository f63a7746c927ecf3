import type { Mutant } from "../../../core/mutant.js";
import { type rightHost } from "../reference/host-behavior.js";
import { broken, reaction } from "./host-patch.js";

const known = ["acp_thread_id", "helix_session_id", "message_id", "role", "content", "timestamp", "request_id"];
const isUpdate = (name: string): boolean => name === "message_added";

/** Every second one of many updates of a message is late. */
function shuffled(): Partial<typeof rightHost> {
  let count = 0;
  return { schedule: (work) => void (++count > 50 && count % 2 === 0 ? setTimeout(work, 5) : work()) };
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
export const readMutants: readonly Mutant[] = broken({
  "knows-no-thread-created": ["READ-001", { eventName: (name) => name }, { cases: ["read.thread-created"] }],
  "knows-no-context-id": ["READ-001", { threadOf: (data) => data["acp_thread_id"] }, { cases: ["read.context-id"] }],
  "wants-the-session": [
    "READ-001",
    reaction("drop", ({ session }) => typeof session !== "string"),
    { cases: ["read.no-session"] },
  ],
  "dies-of-unknown-events": ["READ-002", { unknownEvent: () => "die" }],
  "dies-of-bad-frames": ["READ-003", { badFrame: () => "die" }, { cases: ["robust.frame-*"] }],
  "dies-of-bad-objects": [
    "READ-003",
    { badFrame: () => "die" },
    { collateral: ["READ-002"], cases: ["robust.frame-null", "wrong.*.data-missing", "robust.type-number"] },
  ],
  "dies-of-bad-fields": [
    "READ-003",
    reaction("die", ({ name, data }) => isUpdate(name) && typeof data["content"] !== "string"),
    { cases: ["wrong.message-added.content-*"] },
  ],
  "dies-of-numbers-for-times": [
    "READ-003",
    reaction("die", ({ message }) => typeof message["timestamp"] === "number"),
    { cases: ["wrong.root-timestamp"] },
  ],
  "wants-seconds": [
    "READ-004",
    reaction("drop", ({ name, data }) => isUpdate(name) && !(Number(data["timestamp"]) < 1e11)),
  ],
  "wants-numbers-for-times": [
    "READ-004",
    reaction("die", ({ name, data }) => isUpdate(name) && typeof data["timestamp"] === "string"),
  ],
  "knows-assistants-only": [
    "READ-004",
    reaction("die", ({ name, data }) => isUpdate(name) && data["role"] !== "assistant"),
  ],
  "drops-large-contents": [
    "READ-005",
    reaction("drop", ({ data }) => String(data["content"]).length > 65_536),
    { cases: ["read.large"] },
  ],
  "shuffles-updates": ["READ-005", shuffled, { cases: ["read.many"] }],
  "wants-known-fields": [
    "READ-006",
    reaction("drop", ({ data }) => Object.keys(data).some((name) => !known.includes(name))),
  ],
  "reads-whole-frames": ["READ-007", { bytes: (chunk) => (hasFragment(chunk) ? "die" : "take") }],
  "reads-texts-only": [
    "READ-008",
    { read: (bytes, isBinary) => (isBinary ? undefined : JSON.parse(Buffer.from(bytes).toString("utf8"))) },
  ],
});
