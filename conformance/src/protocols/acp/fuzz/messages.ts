import { table } from "../table.js";
import * as fc from "fast-check";
import type { Known } from "../../../fuzz/arbitrary.js";
import { answers, messagesOf, strays } from "../../../fuzz/json-rpc.js";
import { some } from "../../../fuzz/messages.js";
import { SESSION } from "../../../fuzz/placeholders.js";
import { cwd } from "../agent-role.js";

/** Harmless values for fields that a peer acts on: commands that do not exist, texts that ask for no work. */
const known: Known = {
  sessionId: fc.constant(SESSION),
  cwd: fc.constant(cwd),
  command: fc.constant("/nonexistent/mcp-server"),
  text: fc.constantFrom("Say ok.", "Say ok. \u00e4\ud83d\ude00", "Say ok.\u2028Say ok."),
  uri: fc.constant("file:///nonexistent"),
  data: fc.constant("aGk="),
  blob: fc.constant("aGk="),
};

const sentBy = (role: string) => messagesOf({ table, role, known, without: ["initialize"], whole: ["session/prompt"] });

/** A few messages in a row, for an agent. */
export const agentMessages = some(...sentBy("client"), strays);
/** A few messages in a row, for a client: updates and questions of a turn, and its end. */
export const clientMessages = some(...sentBy("agent"), ...sentBy("agent"), strays, answers({ stopReason: "end_turn" }));
