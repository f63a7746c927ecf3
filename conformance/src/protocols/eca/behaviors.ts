import type { Behavior } from "../../core/protocol.js";

/**
 * The behaviors of a server that a case can ask for in a turn, so that no case depends on a model's mood. Arguments are
 * optional.
 */
export const behaviors: readonly Behavior[] = [
  { name: "text", does: "says `text` (default `ok`) in one text content" },
  { name: "chunks", does: "says `count` (default 5) texts `1 `, `2 `, … in order" },
  { name: "recall", does: "says what the user said in the chat before, one message on each line" },
  { name: "slow", does: "says `working`, then nothing for `ms` (default 20000) or until it is stopped" },
  { name: "reason", does: "thinks `hm`, then says `ok`" },
  { name: "tool-ok", does: "runs one tool call that needs no approval and returns `text` (default `ok`)" },
  { name: "tool-fail", does: "runs one tool call that needs no approval and fails" },
  {
    name: "ask-approval",
    does: "runs one tool call that needs approval: approved it runs, rejected it does not; then says `done`",
  },
  { name: "error", does: "fails, as when the model cannot be reached" },
];
