import type { AgentPlanEntry, AgentToolCallContent } from "@editwire/agent";
import * as z from "zod";
import { ToolError, type Workspace } from "@editwire/ide-tools";
import type { Access } from "../modes.js";

/** The parts of a turn that a tool uses. */
export interface ToolContext {
  readonly workspace: Workspace;
  /** Aborts when the turn is cancelled. */
  readonly signal: AbortSignal;
  /** Shows the user a plan. */
  readonly showPlan: (entries: readonly AgentPlanEntry[]) => void | Promise<void>;
  /** Asks the user; `undefined` when there is no answer. */
  readonly ask: (question: string, options: readonly string[] | undefined) => Promise<string | undefined>;
}

/** How an editor shows a call. */
export interface CallView {
  readonly title: string;
  /** Paths from the workspace's folder, with the line where one is known. */
  readonly locations?: readonly { readonly path: string; readonly line?: number | undefined }[] | undefined;
}

/** The result of a call. */
export interface ToolOutput {
  /** For the model, and for the editor where there is no `content`. */
  readonly text: string;
  /** For the editor. */
  readonly content?: readonly AgentToolCallContent[] | undefined;
  /** The tool ran, and what it ran did not succeed. */
  readonly failed?: boolean | undefined;
}

/** A checked call: what it would do is known, and nothing has happened yet. */
export interface Action {
  /** The preview that the user sees when asked, such as a diff. */
  readonly preview?: readonly AgentToolCallContent[] | undefined;
  run(): Promise<ToolOutput>;
}

/** A tool, with its input's type. */
export interface ToolDefinition<Input> {
  readonly name: string;
  /** For the model. */
  readonly description: string;
  readonly access: Access;
  /** ACP's kind of tool call. */
  readonly kind: "read" | "search" | "edit" | "execute" | "think";
  readonly input: z.ZodType<Input>;
  view(input: Input): CallView;
  /** Checks the call against the workspace. Throws a `ToolError` when it cannot work. */
  prepare(input: Input, context: ToolContext): Promise<Action> | Action;
}

/** A call whose input fits its tool. */
export interface OpenCall {
  readonly view: CallView;
  readonly input: Readonly<Record<string, unknown>>;
  prepare(context: ToolContext): Promise<Action> | Action;
}

/** A tool, whatever its input. */
export interface Tool extends Pick<ToolDefinition<unknown>, "name" | "description" | "access" | "kind"> {
  /** JSON Schema of the input. */
  readonly parameters: Record<string, unknown>;
  /** Reads the arguments as the model wrote them. Throws a `ToolError` that says what does not fit. */
  open(json: string): OpenCall;
}

/** Makes a tool of its definition. */
export function defineTool<Input extends Record<string, unknown>>(tool: ToolDefinition<Input>): Tool {
  const { name, description, access, kind } = tool;
  return {
    name,
    description,
    access,
    kind,
    parameters: z.toJSONSchema(tool.input),
    open(json) {
      const { success, data, error } = tool.input.safeParse(parseJson(json));
      if (!success) throw new ToolError(`The arguments of ${name} do not fit: ${z.prettifyError(error)}`);
      return { view: tool.view(data), input: { ...data }, prepare: (context) => tool.prepare(data, context) };
    },
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json === "" ? "{}" : json);
  } catch (error) {
    throw new ToolError(`The arguments are not JSON: ${(error as Error).message}`);
  }
}
