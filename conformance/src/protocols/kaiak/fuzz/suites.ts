import type { FuzzSuite } from "../../../fuzz/suite.js";
import { clientLife } from "./client-life.js";
import { clientPlayer } from "./client-player.js";
import { clientMessages, serverMessages } from "./messages.js";
import { serverLife } from "./server-life.js";
import { serverPlayer } from "./server-player.js";

/** How Kaiak peers are fuzzed, by the role of the target. */
export const kaiakFuzz: Readonly<Record<string, FuzzSuite>> = {
  server: { open: serverPlayer, messages: serverMessages, lifeCycle: serverLife },
  client: { open: clientPlayer, messages: clientMessages, lifeCycle: clientLife },
};
