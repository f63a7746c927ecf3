import { once } from "node:events";
import { openIdeTools, smanHandlers } from "@editwire/ide-tools";
import type { SmanToolHandlers, SmanToolOutcome } from "@editwire/sman";
import { dialSman } from "@editwire/sman/node";
import type { Transcript } from "./transcript.js";

/** Which project an IDE host has open, and which backend it offers its tools to. */
export interface IdeHostOptions {
  readonly url: string;
  readonly token: string;
  readonly projectKey: string;
  readonly folder: string;
  /** The tool whose first call never ends, so that the host can be killed in the middle of it. */
  readonly holdIn?: string | undefined;
}

type Tool = (params: object, context: { readonly signal: AbortSignal }) => Promise<SmanToolOutcome>;

/**
 * Stands in for an IDE: it executes the tools on one folder for the backend, which it dials again whenever the
 * connection is lost. Resolves after SIGINT or SIGTERM.
 */
export async function runIdeHost(options: IdeHostOptions, { say }: Transcript): Promise<void> {
  const { url, token, projectKey, folder } = options;
  const name = `IDE ${projectKey}`;
  const tools = await openIdeTools(folder);
  const plugin = dialSman(
    { tools: announced(smanHandlers(tools), options, (what) => say(name, what)) },
    {
      url,
      token,
      projectKey,
      sessionId: crypto.randomUUID(),
      onConnection(state) {
        if (state.connected) process.send?.({ connected: true });
        else say(name, `the backend is not connected: ${state.reason.message}`);
      },
    },
  );
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await plugin.close();
  await tools.close();
}

/** The same tools, each of which is announced when it begins. */
function announced(
  tools: SmanToolHandlers,
  { holdIn }: IdeHostOptions,
  announce: (what: string) => void,
): SmanToolHandlers {
  const entries = Object.entries(tools).map(([name, tool]): [string, Tool] => {
    let isHeld = name === holdIn;
    return [
      name,
      async (params, context) => {
        announce(`runs ${name}`);
        if (isHeld) {
          isHeld = false;
          process.send?.({ holdsIn: name });
          await once(context.signal, "abort");
        }
        return (tool as Tool)(params, context);
      },
    ];
  });
  return Object.fromEntries(entries);
}
