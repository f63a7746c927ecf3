import { listenSman } from "@editwire/sman/node";
import type { Toolbox } from "../tools/toolbox.js";
import { ideToolbox } from "./ide-toolbox.js";

/** Where IDEs offer their tools. */
export interface IdeListenSettings {
  readonly port: number;
  /** The token that IDEs must send. Default: none, as only this machine can dial. */
  readonly token: string | undefined;
  readonly log: (text: string) => void;
  readonly detail: (text: string) => void;
}

/** Listens for IDEs over sman. */
export async function listenForIdes(
  settings: IdeListenSettings,
): Promise<{ toolbox: Toolbox; close(): Promise<void> }> {
  const { port, token, log, detail } = settings;
  const backend = await listenSman({
    port,
    token,
    onIde: ({ projectKey }) => detail(`the IDE of ${projectKey} is connected`),
  });
  log(`waiting for IDEs at ${backend.url}`);
  return { toolbox: ideToolbox({ backend, log }), close: () => backend.close() };
}
