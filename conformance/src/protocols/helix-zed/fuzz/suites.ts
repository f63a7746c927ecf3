import type { FuzzSuite } from "../../../fuzz/suite.js";
import { agentLife } from "./agent-life.js";
import { agentPlayer } from "./agent-player.js";
import { hostLife } from "./host-life.js";
import { hostPlayer } from "./host-player.js";
import { agentMessages, hostMessages } from "./messages.js";

/** How Helix-Zed peers are fuzzed, by the role of the target. */
export const helixZedFuzz: Readonly<Record<string, FuzzSuite>> = {
  agent: { open: agentPlayer, messages: agentMessages, lifeCycle: agentLife },
  host: { open: hostPlayer, messages: hostMessages, lifeCycle: hostLife },
};
