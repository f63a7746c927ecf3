import { mutant, type Mutant } from "../../../../core/mutant.js";
import { v1Agent } from "../../reference/v1.js";
import type { WebSocketBehavior } from "../../reference/web-socket.js";
import type { StreamableBehavior } from "../../reference/streamable.js";

const remote = (
  id: string,
  violates: readonly string[],
  http: Partial<StreamableBehavior>,
  more: Partial<Mutant> = {},
) => mutant(`acp.agent/remote-${id}`, { violates, ...more, profile: "v1", dialect: v1Agent, http });

const socket = (
  id: string,
  violates: readonly string[],
  webSocket: Partial<WebSocketBehavior>,
  more: Partial<Mutant> = {},
) => mutant(`acp.agent/socket-${id}`, { violates, ...more, profile: "v1", dialect: v1Agent, webSocket });

/** Nothing else works without a connection. */
const unopened = { cases: ["acp.agent.remote.taken"], collateral: ["ACP-SESSION-001"] };

/** Agents that are wrong on Streamable HTTP or a WebSocket, and some that are right. */
export const remoteMutants: readonly Mutant[] = [
  remote("benign", [], {}, { cases: ["acp.agent.remote.*", "acp.agent.turn.text", "acp.agent.cancel.*"] }),
  remote("benign-cookie", [], { demandsCookie: true }, { cases: ["acp.agent.remote.*", "acp.agent.turn.text"] }),
  remote("benign-id-in-body", [], { namesInBody: true }, { cases: ["acp.agent.remote.*", "acp.agent.turn.text"] }),
  remote("takes-any-type", ["ACP-REMOTE-001"], { otherType: 202 }),
  remote("other-status-for-types", ["ACP-REMOTE-001"], { otherType: 400 }),
  remote("streams-to-everybody", ["ACP-REMOTE-002"], { otherAccept: 200 }),
  remote("other-status-for-accept", ["ACP-REMOTE-002"], { otherAccept: 400 }),
  remote("unnamed-posts", ["ACP-REMOTE-003"], { unnamedPost: 404 }),
  remote("unnamed-streams", ["ACP-REMOTE-003"], { unnamedGet: 404 }),
  remote("unnamed-ends", ["ACP-REMOTE-003"], { unnamedDelete: 202 }),
  remote("unknown-posts", ["ACP-REMOTE-004"], { unknownPost: 400 }, { collateral: ["ACP-REMOTE-007"] }),
  remote("unknown-streams", ["ACP-REMOTE-004"], { unknownGet: 400 }),
  remote("sessions-without-header", ["ACP-REMOTE-005"], { withoutSession: 202 }),
  remote("initialize-accepted", ["ACP-REMOTE-006"], { initialized: 201 }, unopened),
  remote("initialize-as-text", ["ACP-REMOTE-006"], { initializedType: "text/plain" }, unopened),
  remote("connections-without-id", ["ACP-REMOTE-006"], { names: false }, unopened),
  remote("requests-ok", ["ACP-REMOTE-006"], { taken: 200 }),
  remote("requests-with-body", ["ACP-REMOTE-006"], { taken: 202, takenBody: "ok" }, {}),
  remote(
    "notifications-with-204",
    ["ACP-REMOTE-006"],
    { takenNotification: 204 },
    { cases: ["acp.agent.cancel.running"] },
  ),
  remote("answers-with-200", ["ACP-REMOTE-006"], { takenAnswer: 200 }, { cases: ["acp.agent.permission.allowed"] }),
  remote(
    "answers-in-the-body",
    ["ACP-REMOTE-024"],
    { answersInBody: true },
    { cases: ["acp.agent.turn.text"], collateral: ["ACP-REMOTE-006"] },
  ),
  remote("one-stream-for-all", ["ACP-REMOTE-025"], { streamOf: () => "" }, { cases: ["acp.agent.turn.text"] }),
  remote("leaves-session-streams-open", ["ACP-REMOTE-007"], { endsSessionStreams: false }),
  remote("ends-with-204", ["ACP-REMOTE-007"], { deleted: 204 }),
  remote("remembers-the-ended", ["ACP-REMOTE-007"], { forgets: false }),
  remote("leaves-streams-open", ["ACP-REMOTE-007"], { endsStreams: false }),
  remote("two-streams", ["ACP-REMOTE-008"], { secondStream: 200 }),
  remote("takes-batches", ["ACP-REMOTE-009"], { batch: 202 }),
  socket("benign", [], {}, { cases: ["acp.agent.remote.*", "acp.agent.turn.text", "acp.agent.cancel.*"] }),
  socket("unnamed", ["ACP-REMOTE-021"], { names: () => undefined }),
  socket("one-name", ["ACP-REMOTE-022"], { names: () => "connection" }),
  socket("one-only", ["ACP-REMOTE-022"], { most: 1 }, { cases: ["acp.agent.remote.second"] }),
  socket("one-at-a-time", ["ACP-REMOTE-022"], { keeps: false }),
  socket("dies-of-binary", ["ACP-REMOTE-023"], { binaryMessage: "end" }),
  socket("answers-binary", ["ACP-REMOTE-023"], { binaryMessage: "read" }),
  socket("sends-binary", ["ACP-FRAME-001"], { binary: true }),
];
