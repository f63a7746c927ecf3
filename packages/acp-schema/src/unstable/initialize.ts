import * as z from "zod/mini";
import { InitializeParams, InitializeResult } from "../initialize.js";
import { UnstableAgentCapabilities, UnstableClientCapabilities } from "./capabilities.js";
import { extended, type Replace } from "./extended.js";

/** Opens a connection, with the unstable capabilities of the client. */
export interface UnstableInitializeParams
  extends Replace<InitializeParams, { clientCapabilities?: UnstableClientCapabilities | undefined }> {}
export const UnstableInitializeParams = extended<UnstableInitializeParams>()(InitializeParams, {
  clientCapabilities: z.optional(UnstableClientCapabilities),
});

/** Who the agent is, with its unstable capabilities. */
export interface UnstableInitializeResult
  extends Replace<InitializeResult, { agentCapabilities?: UnstableAgentCapabilities | undefined }> {}
export const UnstableInitializeResult = extended<UnstableInitializeResult>()(InitializeResult, {
  agentCapabilities: z.optional(UnstableAgentCapabilities),
});
