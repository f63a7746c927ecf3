import { openAgent } from "../agent/open.js";
import { serveEditor } from "./editor-side.js";
import { type BridgeOptions, checkBridge } from "./options.js";

/** A bridge that runs. */
export interface Bridge {
  /** Resolves when the editor of stdio is gone. It is pending while a bridge listens or dials. */
  readonly gone: Promise<unknown>;
  /** Ends both sides. */
  close(): Promise<void>;
}

/** Connects an editor of one protocol to an agent of another. Rejects with a `TypeError` for wrong options. */
export async function openBridge(options: BridgeOptions): Promise<Bridge> {
  checkBridge(options);
  const far = await openAgent({ ...options, onError: (error) => options.onError(error, "agent") });
  try {
    const served = await serveEditor(far.agent, { ...options, onError: (error) => options.onError(error, "editor") });
    const close = async (): Promise<void> => {
      await served.close();
      await far.close();
    };
    return { gone: served.gone, close };
  } catch (error) {
    await far.close();
    throw error;
  }
}
