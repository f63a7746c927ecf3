import type { Behavior } from "../../core/protocol.js";

/**
 * The behaviors of an agent that a case can ask for in a turn, so that no case depends on a model's mood. Arguments are
 * optional.
 */
export const behaviors: readonly Behavior[] = [
  { name: "text", does: "says `text` (default `ok`) in one agent_message_chunk and ends with end_turn" },
  { name: "chunks", does: "says `count` (default 5) chunks `1 `, `2 `, … in order and ends with end_turn" },
  { name: "recall", does: "says what the user said in the session before, one message on each line" },
  { name: "slow", does: "says `working`, then nothing for `ms` (default 20000) or until it is cancelled, then ends" },
  {
    name: "tool-ok",
    does: "runs one tool call of `kind` (default read) that completes with the output `text` (default `ok`)",
  },
  { name: "tool-fail", does: "runs one tool call that fails" },
  {
    name: "ask-permission",
    does: "asks for permission to run a tool of `kind` (default execute): allowed, it completes; else it does not run",
  },
  { name: "read-file", does: "reads the file at `path`, through the client if that offers it, and says what is in it" },
  { name: "write-file", does: "writes `content` into the file at `path`, through the client if that offers it" },
  { name: "terminal", does: "runs `command` with `args`, through the client if that offers it, and says its output" },
  { name: "plan", does: "sends a plan of two entries, and again with the first one completed" },
  { name: "long", does: "says a text of `size` (default 65536) characters in one chunk" },
  { name: "refuse", does: "ends with refusal" },
  { name: "max-tokens", does: "ends with max_tokens" },
  { name: "max-turn-requests", does: "ends with max_turn_requests" },
  { name: "error", does: "fails: the prompt is answered with an error" },
];
