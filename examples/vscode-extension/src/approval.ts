import type { EcaPermissionHandler, EcaToolCallState } from "@editwire/eca";
import * as vscode from "vscode";

const maxLines = 40;
const maxLineChars = 200;

/** Asks the user whether a tool may run. Closing the question refuses. */
export const askUser: EcaPermissionHandler = async (toolCall) => {
  const answer = await vscode.window.showWarningMessage(
    `Allow the tool call “${toolCall.summary ?? toolCall.name}”?`,
    { modal: true, detail: describeCall(toolCall) },
    "Allow",
  );
  return answer === "Allow" ? "allow_once" : "reject_once";
};

/** The diff of a file change; of any other call its arguments, one a line. At most 40 lines. */
function describeCall({ details, arguments: input }: Pick<EcaToolCallState, "details" | "arguments">): string {
  if (details?.type === "fileChange" && typeof details.diff === "string")
    return limited(
      `${String(details.path)}  +${String(details.linesAdded)} −${String(details.linesRemoved)}\n\n${details.diff}`,
    );
  return limited(
    Object.entries(input ?? {})
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n"),
  );
}

function limited(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines
    .slice(0, maxLines)
    .map((line) => (line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line));
  return [...shown, ...(lines.length > maxLines ? [`… and ${lines.length - maxLines} more lines`] : [])].join("\n");
}
