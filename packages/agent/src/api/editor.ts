import type { AcpAgentClient, Meta } from "@editwire/acp";

/**
 * The editor that prompted a turn, with its files and terminals, as ACP has them. Each method rejects with
 * `WireError("invalid_params")`, whose `data.capability` names what is missing, when the editor does not offer it. Its
 * terminals are released when the turn ends.
 */
export interface AgentEditor
  extends Pick<AcpAgentClient, "capabilities" | "readTextFile" | "writeTextFile" | "createTerminal"> {
  /** The same editor; what is asked of it has these `_meta`. */
  withMeta(meta: Meta): AgentEditor;
}
