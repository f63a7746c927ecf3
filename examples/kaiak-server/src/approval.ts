import { basename } from "node:path";
import type { KaiakServerTurn, ToolPermission } from "@editwire/kaiak";
import type { Change } from "./change.js";

/** A refusal, in words for the model; undefined for an approval. */
export type Refusal = string | undefined;

const REJECTED = "The user rejected this call. Do not try it again unless the user asks for it.";

/**
 * Shows a change, and asks the user where that is due: not where the configuration allows the tool, and not for a
 * change of low risk when the client wants those without a question.
 */
export async function approveChange(
  { modification }: Change,
  permission: ToolPermission,
  turn: KaiakServerTurn,
): Promise<Refusal> {
  const isSafe = modification.risk_level === "low" && turn.options.auto_apply_safe_fixes === true;
  if (permission === "allow" || isSafe) return void (await turn.fileModification(modification));
  const name = basename(modification.file_path);
  const answer = await turn.proposeFileModification(modification, {
    prompt: `Apply this fix to ${name}?`,
    defaultResponse: "deny",
  });
  turn.signal.throwIfAborted();
  if (answer === "approve") return undefined;
  if (answer !== "edit") return REJECTED;
  const wish = await turn.ask({ type: "text_input", prompt: `What should be different in ${name}?` });
  turn.signal.throwIfAborted();
  return wish === undefined ? REJECTED : `The user wants a different change: ${wish}`;
}

/** Asks the user whether a tool may run that changes no file, unless the configuration allows it. */
export async function approveTool(title: string, permission: ToolPermission, turn: KaiakServerTurn): Promise<Refusal> {
  if (permission === "allow") return undefined;
  const answer = await turn.ask({
    type: "tool_permission",
    prompt: `${title}?`,
    options: ["allow", "deny"],
    defaultResponse: "deny",
  });
  turn.signal.throwIfAborted();
  return answer === "allow" ? undefined : REJECTED;
}
