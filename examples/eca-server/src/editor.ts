import type { EcaServerConnection, EcaServerTurn } from "@editwire/eca";
import type { ClientCapabilities, EditorDiagnostic, EditorLocation } from "@editwire/eca-schema";
import { ToolError } from "@editwire/example-coding-agent";
import * as z from "zod";
import { type OwnTool, ownTool } from "./own-tool.js";

/** What an editor of 2026 can be asked. Editors of 2025 support none of it. */
export interface Editor {
  readonly capabilities: ClientCapabilities["codeAssistant"];
  /** Absent before `initialized`. */
  readonly connection: EcaServerConnection | undefined;
}

/** Milliseconds that the editor has to answer. The user has all the time to answer a question. */
const timeoutMs = 10_000;

const place = z.object({ uri: z.string(), line: z.int().min(1), character: z.int().min(1) });

/** The tools that this editor, or its user, can answer. */
export function editorTools({ capabilities, connection }: Editor): OwnTool[] {
  const tools = capabilities?.chatCapabilities?.askQuestion === true ? [askUser] : [];
  if (connection === undefined) return tools;
  const { diagnostics, definition, references } = capabilities?.editor ?? {};
  if (diagnostics === true) tools.push(diagnosticsTool(connection));
  if (definition === true) tools.push(locationTool(connection, "definition"));
  if (references === true) tools.push(locationTool(connection, "references"));
  return tools;
}

const askUser = ownTool({
  name: "ask_user",
  description: "Asks the user a question, with answers to choose from",
  input: z.object({ question: z.string(), options: z.array(z.string()).optional() }),
  title: () => "Ask the user",
  async run({ question, options }, turn, toolCallId) {
    const answer = await turn.ask(question, {
      toolCallId,
      ...(options === undefined ? {} : { options: options.map((label) => ({ label })) }),
    });
    return answer === undefined ? "The user did not answer." : `The user answered: ${answer}`;
  },
});

function diagnosticsTool({ editor }: EcaServerConnection): OwnTool {
  return ownTool({
    name: "editor_diagnostics",
    description: "What the editor reports as wrong, in one file by its URI or in all",
    input: z.object({ uri: z.string().optional() }),
    title: () => "Look at the editor's diagnostics",
    async run({ uri }, turn) {
      const found = await asked(turn, () => editor.diagnostics({ uri, signal: turn.signal, timeoutMs }));
      return found.map(diagnosticLine).join("\n") || "The editor reports nothing.";
    },
  });
}

function locationTool({ editor }: EcaServerConnection, kind: "definition" | "references"): OwnTool {
  return ownTool({
    name: `editor_${kind}`,
    description:
      `Where the symbol at a place is ${kind === "definition" ? "defined" : "used"}, as the editor knows it; ` +
      "lines and characters count from 1",
    input: place,
    title: ({ uri, line }) => `Look for the ${kind} of ${uri}:${line}`,
    async run({ uri, line, character }, turn) {
      const params = { uri, position: { line, character }, signal: turn.signal, timeoutMs };
      const found = await asked(turn, () => editor[kind](params));
      return found.map(locationLine).join("\n") || "The editor found no place.";
    },
  });
}

/** What the editor answers. If the editor fails, the model receives the reason. */
async function asked<T>({ signal }: EcaServerTurn, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolError(`The editor could not answer: ${(error as Error).message}`, { cause: error });
  }
}

/** Editors count lines of diagnostics from 0, people and models from 1. */
function diagnosticLine({ uri, severity, range, message, source }: EditorDiagnostic): string {
  return `${uri}:${range.start.line + 1}: ${severity}: ${message}${source === "" ? "" : ` (${source})`}`;
}

function locationLine({ uri, range: { start } }: EditorLocation): string {
  return `${uri}:${start.line}:${start.character}`;
}
