import type { SmanBackend, SmanIde } from "@editwire/sman";
import type { Transcript } from "./transcript.js";

/** Longer params have a line each. */
const maxParamChars = 90;

/** The same backend, whose calls of tools are announced with their results. */
export function announced<Backend extends SmanBackend>(backend: Backend, { say }: Transcript): Backend {
  return { ...backend, ide: async (...wanted) => announcedIde(await backend.ide(...wanted), say) };
}

function announcedIde(ide: SmanIde, say: Transcript["say"]): SmanIde {
  const { projectKey } = ide;
  const call: SmanIde["call"] = async (tool, params, options) => {
    announce(say, `agent → ${projectKey}`, tool, params);
    try {
      const answer = await ide.call(tool, params, options);
      say(`${projectKey} → agent`, tool, answer.result);
      return answer;
    } catch (error) {
      say(`${projectKey} ✗ agent`, error instanceof Error ? error.message : String(error));
      throw error;
    }
  };
  return { ...ide, call };
}

function announce(say: Transcript["say"], who: string, tool: string, params: object): void {
  const line = JSON.stringify(params);
  if (line.length <= maxParamChars) return say(who, `${tool} ${line}`);
  const members = Object.entries(params).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  say(who, tool, members.join("\n"));
}
