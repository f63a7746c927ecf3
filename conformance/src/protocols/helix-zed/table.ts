import { helixZed } from "@editwire/helix-zed-schema";
import type { Protocol } from "@editwire/core";

/**
 * The messages of the specification, and the further messages of real hosts and agents, which are judged when they are
 * sent.
 */
export const table: Protocol = helixZed;
