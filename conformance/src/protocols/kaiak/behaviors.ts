import type { Behavior } from "../../core/protocol.js";

/** The behaviors of a server that the message of a run's first incident can ask for. Arguments are optional. */
export const behaviors: readonly Behavior[] = [
  { name: "text", does: "reports progress twice, and says `text` (default `ok`) in one ai_response between" },
  { name: "chunks", does: "says `count` (default 5) texts `1 `, `2 `, … in order" },
  { name: "slow", does: "says `working`, then nothing for `ms` (default 20000) or until it is cancelled" },
  { name: "tool-ok", does: "reports one tool call from its beginning to its completion" },
  {
    name: "ask",
    does:
      "asks a choice of `approve` and `deny`, by default `deny` after `timeout` (default 30) seconds; " +
      "then says `answer: ` and the answer",
  },
  { name: "modify", does: "proposes a file modification that needs approval, asks for it, then says `done`" },
  { name: "error", does: "reports a recoverable error, then says `ok`" },
  { name: "fail", does: "reports an error that is not recoverable, which ends the run as `failed`" },
];
