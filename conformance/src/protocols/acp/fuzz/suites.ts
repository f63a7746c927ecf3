import type { FuzzSuite } from "../../../fuzz/suite.js";
import { agentPlayer } from "./agent-player.js";
import { agentLife } from "./life.js";
import { clientLife } from "./client-life.js";
import { clientPlayer } from "./client-player.js";
import { agentMessages, clientMessages } from "./messages.js";

/** How ACP peers are fuzzed, by the role of the target. */
export const acpFuzz: Readonly<Record<string, FuzzSuite>> = {
  agent: { open: agentPlayer, messages: agentMessages, lifeCycle: agentLife },
  client: { open: clientPlayer, messages: clientMessages, lifeCycle: clientLife },
};
