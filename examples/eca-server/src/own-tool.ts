import type { EcaServerTurn } from "@editwire/eca";
import { type OfferedTool, ToolError } from "@editwire/example-coding-agent";
import * as z from "zod";

/** A call whose arguments fit. */
interface OpenCall {
  readonly title: string;
  run(turn: EcaServerTurn, toolCallId: string): Promise<string>;
}

/** A tool of this server, beside those of the coding agent. */
export interface OwnTool {
  readonly offered: OfferedTool;
  /** What it does to the machine. The user is asked before an execution. */
  readonly access: "none" | "execute";
  /** Throws a `ToolError` for arguments that do not fit. */
  open(args: Record<string, unknown>): OpenCall;
}

/** What a tool is made of. */
interface OwnToolParts<Input> {
  readonly name: string;
  readonly description: string;
  /** Default `none`. */
  readonly access?: OwnTool["access"] | undefined;
  readonly input: z.ZodType<Input>;
  readonly title: (input: Input) => string;
  readonly run: (input: Input, turn: EcaServerTurn, toolCallId: string) => Promise<string>;
}

/** Makes a tool, whose arguments are checked. */
export function ownTool<Input>(parts: OwnToolParts<Input>): OwnTool {
  const { name, description, access = "none", input, title, run } = parts;
  return {
    offered: { name, description, parameters: z.toJSONSchema(input) },
    access,
    open(args) {
      const { success, data, error } = input.safeParse(args);
      if (!success) throw new ToolError(`The arguments of ${name} do not fit: ${z.prettifyError(error)}`);
      return { title: title(data), run: (turn, toolCallId) => run(data, turn, toolCallId) };
    },
  };
}
