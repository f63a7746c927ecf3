import { eca } from "@editwire/eca-schema";
import * as fc from "fast-check";
import type { Known } from "../../../fuzz/arbitrary.js";
import { answers, messagesOf, strays } from "../../../fuzz/json-rpc.js";
import { some } from "../../../fuzz/messages.js";
import { SESSION } from "../../../fuzz/placeholders.js";
import { table } from "../table.js";

/** Values that a peer can act on without harm: no existing file, no existing server, no text that asks for work. */
const known: Known = {
  chatId: fc.constant(SESSION),
  message: fc.constantFrom("Say ok.", "Say ok. \u00e4\ud83d\ude00", "Say ok.\u2028Say ok."),
  path: fc.constant("/nonexistent/file"),
  uri: fc.constant("file:///nonexistent"),
  url: fc.constant("http://127.0.0.1:1/"),
  name: fc.constant("no-such-server"),
  command: fc.constant("/nonexistent/mcp-server"),
};

const serverSends = messagesOf({ table: eca, role: "server", known, without: [], whole: [] });

/** A few messages in a row, for a server; what ends it is left to the cases. */
export const serverMessages = some(
  ...messagesOf({ table, role: "client", known, without: ["initialize", "shutdown", "exit"], whole: ["chat/prompt"] }),
  strays,
);
/**
 * A few messages in a row, for a client: contents of a turn, other messages of servers, those of the 2026 dialect too,
 * and the answer to its prompt.
 */
export const clientMessages = some(...serverSends, strays, answers({ model: "suite/one", status: "success" }));
