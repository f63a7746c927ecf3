import { basename } from "node:path";
import { once } from "node:events";
import { openIdeTools, smanHandlers } from "@editwire/ide-tools";
import type { SmanToolHandlers } from "@editwire/sman";
import { dialSman } from "@editwire/sman/node";
import { type PartOptions, tell } from "../messages.js";
import { reportWire } from "../wire/reporter.js";
import { shortSman } from "../wire/sman.js";

/** Stands in for an IDE that has the project open, and offers its tools to the agent. */
export async function runIde({ project, idePort, token, hold }: PartOptions): Promise<void> {
  const tools = smanHandlers(await openIdeTools(project));
  let isConnected = false;
  dialSman(
    { tools: hold ? holding(tools) : tools },
    {
      url: `http://127.0.0.1:${idePort}`,
      token,
      projectKey: basename(project),
      sessionId: crypto.randomUUID(),
      onWire: reportWire("ide", "agent", "sman", shortSman),
      onError() {}, // `onConnection` is called, too
      onConnection({ connected }) {
        if (connected !== isConnected)
          tell({ type: "note", text: connected ? "is connected to the agent" : "has lost the agent" });
        isConnected = connected;
      },
    },
  );
}

/** The same tools, one of which never answers. */
function holding(tools: SmanToolHandlers): SmanToolHandlers {
  return {
    ...tools,
    async call_chain(_params, { signal }) {
      tell({ type: "holds" });
      await once(signal, "abort");
      return "";
    },
  };
}
