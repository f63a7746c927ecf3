import type { EcaServerTurn, EcaServerConnection } from "@editwire/eca";
import type { ClientCapabilities, EditorDiagnostic } from "@editwire/eca-schema";
import { type OfferedTool, ToolError } from "@editwire/example-coding-agent";
import * as z from "zod";

/** What an editor of 2026 can be asked. Editors of 2025 support none of it. */
export interface Editor {
  readonly capabilities: ClientCapabilities["codeAssistant"];
  /** Absent before `initialized`. */
  readonly connection: EcaServerConnection | undefined;
}

/** A call whose arguments fit. */
interface OpenEditorCall {
  readonly title: string;
  readonly input: Record<string, unknown>;
  run(turn: EcaServerTurn, toolCallId: string): Promise<string>;
}

/** A tool that the editor, or its user, has the answer of. */
export interface EditorTool {
  readonly offered: OfferedTool;
  /** Throws a `ToolError` for arguments that do not fit. */
  open(args: Record<string, unknown>): OpenEditorCall;
}

/** Milliseconds that the editor has to collect its diagnostics; to answer a question the user has all the time. */
const timeoutMs = 10_000;

const Question = z.object({ question: z.string(), options: z.array(z.string()).optional() });
const Place = z.object({ uri: z.string().optional() });

/** The tools that this editor can answer. */
export function editorTools({ capabilities, connection }: Editor): EditorTool[] {
  const tools: EditorTool[] = [];
  if (capabilities?.chatCapabilities?.askQuestion === true) {
    tools.push({
      offered: {
        name: "ask_user",
        description: "Asks the user a question, with answers to choose from",
        parameters: z.toJSONSchema(Question),
      },
      open(args) {
        const { question, options } = fitting("ask_user", Question, args);
        return {
          title: "Ask the user",
          input: args,
          async run(turn, toolCallId) {
            const answer = await turn.ask(question, {
              toolCallId,
              ...(options === undefined ? {} : { options: options.map((label) => ({ label })) }),
            });
            return answer === undefined ? "The user did not answer." : `The user answered: ${answer}`;
          },
        };
      },
    });
  }
  if (capabilities?.editor?.diagnostics === true && connection !== undefined) {
    tools.push({
      offered: {
        name: "editor_diagnostics",
        description: "What the editor reports as wrong, in one file by its URI or in all",
        parameters: z.toJSONSchema(Place),
      },
      open(args) {
        const { uri } = fitting("editor_diagnostics", Place, args);
        return {
          title: "Look at the editor's diagnostics",
          input: args,
          async run({ signal }) {
            const params = uri === undefined ? {} : { uri };
            const { diagnostics } = await connection.connection
              .request("editor/getDiagnostics", params, { signal, timeoutMs })
              .catch((error: unknown) => {
                signal.throwIfAborted();
                throw new ToolError(`The editor has no diagnostics: ${(error as Error).message}`, { cause: error });
              });
            return diagnostics.map(lineOf).join("\n") || "The editor reports nothing.";
          },
        };
      },
    });
  }
  return tools;
}

function fitting<T>(name: string, schema: z.ZodType<T>, args: Record<string, unknown>): T {
  const { success, data, error } = schema.safeParse(args);
  if (!success) throw new ToolError(`The arguments of ${name} do not fit: ${z.prettifyError(error)}`);
  return data;
}

/** Editors count lines from 0, people and models from 1. */
function lineOf({ uri, severity, range, message, source }: EditorDiagnostic): string {
  return `${uri}:${range.start.line + 1}: ${severity}: ${message}${source === undefined ? "" : ` (${source})`}`;
}
