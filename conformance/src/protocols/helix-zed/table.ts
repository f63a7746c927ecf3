import { helixZed } from "@editwire/helix-zed-schema";
import type { Protocol } from "@editwire/core";

/** The messages of the specification, and those that real hosts and agents have beside them, which are judged where they are sent. */
export const table: Protocol = helixZed;
