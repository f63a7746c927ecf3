import { isRemoteError, isWireError } from "@editwire/core";
import type { ToolRequest } from "@editwire/example-coding-agent";
import type { SmanBackend, SmanToolInputs, SmanToolName } from "@editwire/sman";
import { isSmanToolName } from "@editwire/sman-schema";
import type { Transcript } from "./transcript.js";

/** How the tools of a project's IDE are reached. */
export interface RemoteToolOptions {
  readonly backend: SmanBackend;
  readonly projectKey: string;
  readonly signal: AbortSignal;
  readonly transcript: Transcript;
  /** Milliseconds to wait for the IDE of the project, at the beginning and after it was lost. */
  readonly waitMs: number;
}

/** How often a call is made again after its IDE was lost. */
const maxRetries = 3;

/**
 * Calls a tool in the IDE of a project and gives the text for the model, which also receives every error. Throws only
 * when the task is cancelled, or for a bug.
 */
export async function callTool({ name, arguments: json }: ToolRequest, options: RemoteToolOptions): Promise<string> {
  if (!isSmanToolName(name)) return `Error: There is no tool ${name}.`;
  try {
    return await callInIde(name, JSON.parse(json) as SmanToolInputs[SmanToolName], options);
  } catch (error) {
    options.signal.throwIfAborted();
    if (isRemoteError(error) || isWireError(error) || error instanceof SyntaxError) return `Error: ${error.message}`;
    throw error;
  }
}

/**
 * When an IDE is lost, its calls reject with `closed` at once. A tool that only reads is then called again in the next
 * IDE of the project. A change may have been applied, so it is up to the model to look before it makes it again.
 */
async function callInIde(
  tool: SmanToolName,
  params: SmanToolInputs[SmanToolName],
  { backend, projectKey, signal, waitMs, transcript: { say } }: RemoteToolOptions,
): Promise<string> {
  for (let retries = 0; ; retries += 1) {
    const ide = await backend.ide({ projectKey }, { signal, timeoutMs: waitMs });
    announce(say, `agent → ${projectKey}`, tool, params);
    try {
      const { result } = await ide.call(tool, params, { signal });
      say(`${projectKey} → agent`, tool, result);
      return result;
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      say(`${projectKey} ✗ agent`, text);
      if (!isWireError(error, "closed") || retries === maxRetries) throw error;
      if (tool === "apply_change")
        return "Error: The IDE was lost before it answered, so the change may have been applied. Read the file.";
      say("backend", `calls ${tool} again as soon as an IDE of ${projectKey} is connected`);
    }
  }
}

/** Longer params have a line each. */
const maxParamChars = 90;

function announce(say: Transcript["say"], who: string, tool: string, params: object): void {
  const line = JSON.stringify(params);
  if (line.length <= maxParamChars) return say(who, `${tool} ${line}`);
  const members = Object.entries(params).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  say(who, tool, members.join("\n"));
}
