import { type AgentTurn, RemoteError } from "@editwire/agent";
import picomatch from "picomatch";
import * as z from "zod";

/** The limits that a client sets for one turn. Only Kaiak clients set limits; `toKaiak` puts them into the prompt. */
export interface Limits {
  /** Whether every tool that reads asks, too: the configuration then answers, or the user. */
  readonly asksAlways: boolean;
  /** Says whether a file may be listed, read and written. Default: every file. */
  readonly admits?: ((path: string) => boolean) | undefined;
  /** Default: no limit. */
  readonly maxToolCalls: number;
  /** Answers of the model in the turn. Default: the agent's own limit. */
  readonly maxRounds: number;
}

const patterns = z.array(z.string().min(1));
const Run = z.object({
  configuration: z.object({
    workspace: z.object({ include_patterns: patterns.default(["**/*"]), exclude_patterns: patterns.default([]) }),
    tools: z.object({ max_tool_calls: z.number().default(Infinity) }).default({ max_tool_calls: Infinity }),
    session: z.object({ max_turns: z.number().default(Infinity) }).default({ max_turns: Infinity }),
  }),
});

/** Reads the limits of a turn. Throws a `RemoteError` for some that do not fit, so that nothing runs without them. */
export function limitsOf({ meta }: Pick<AgentTurn, "meta">): Limits {
  const run = meta?.["editwire/kaiak"];
  if (run === undefined) return { asksAlways: false, maxToolCalls: Infinity, maxRounds: Infinity };
  const { success, data, error } = Run.safeParse(run);
  if (!success) throw RemoteError.invalidParams(`The limits of the run do not fit: ${z.prettifyError(error)}`);
  const { workspace, tools, session } = data.configuration;
  const [included, excluded] = [workspace.include_patterns, workspace.exclude_patterns].map(matcher);
  return {
    asksAlways: true,
    admits: (path) => included?.(path) === true && excluded?.(path) !== true,
    maxToolCalls: tools.max_tool_calls,
    maxRounds: session.max_turns,
  };
}

function matcher(globs: readonly string[]): (path: string) => boolean {
  return globs.length === 0 ? () => false : picomatch([...globs], { dot: true });
}
