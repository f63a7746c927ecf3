import type { Behavior } from "../../core/protocol.js";

/**
 * The behaviors of an agent that a case can ask for in a turn, so that no case depends on a model's mood. Arguments are
 * optional.
 */
export const behaviors: readonly Behavior[] = [
  { name: "text", does: "says `text` (default `ok`) in one message" },
  {
    name: "chunks",
    does:
      "says `1 2 3 …` up to `count` (default 5) in one message that grows: " +
      "several updates, the last with all of the text",
  },
  { name: "recall", does: "says what the user said in the thread before, one message on each line" },
  { name: "messages", does: "says `count` (default 2) messages, one after the other: `first`, `second`, …" },
  { name: "slow", does: "says `working`, then nothing for `ms` (default 20000) or until it is cancelled" },
  { name: "empty", does: "says nothing at all" },
  { name: "error", does: "fails, as when the model cannot be reached" },
];
