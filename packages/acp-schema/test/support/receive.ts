import { acp } from "@editwire/acp-schema";
import { receiverOf } from "../../../core/test/support/receiver.js";

/** Params that let a request leave, so that its result can come. */
const validParams: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: 1 },
  authenticate: { methodId: "login" },
  "session/new": { cwd: "/tmp", mcpServers: [] },
  "session/load": { sessionId: "s", cwd: "/tmp", mcpServers: [] },
  "session/prompt": { sessionId: "s", prompt: [] },
  "session/set_mode": { sessionId: "s", modeId: "m" },
  "session/request_permission": { sessionId: "s", toolCall: { toolCallId: "c" }, options: [] },
};

/** Lets a value come in through `connect`. */
export const receive = receiverOf(acp, (method) => validParams[method]);
