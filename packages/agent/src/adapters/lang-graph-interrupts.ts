import type { AgentTurn } from "../api/session.js";
import type { RelayedCalls } from "./relayed-calls.js";

/** An interrupt of a graph. */
interface Interrupt {
  readonly id: string;
  readonly value: unknown;
}

/** The interrupt of the middleware that reviews tool calls. */
interface Review {
  readonly actionRequests: readonly ActionRequest[];
}

interface ActionRequest {
  readonly name: string;
  readonly args: unknown;
}

/** The interrupts in an update. */
export function interruptsIn(update: Readonly<Record<string, unknown>>): unknown[] {
  const found = update["__interrupt__"];
  return Array.isArray(found) ? found : [];
}

/** Asks the user about each interrupt. The answers are what a graph is resumed with. */
export async function resumeOf(
  turn: AgentTurn,
  calls: RelayedCalls,
  interrupts: readonly unknown[],
): Promise<Readonly<Record<string, unknown>>> {
  const answers: Record<string, unknown> = {};
  for (const { id, value } of interrupts as readonly Interrupt[]) answers[id] = await answerTo(turn, calls, value);
  return answers;
}

async function answerTo(turn: AgentTurn, calls: RelayedCalls, value: unknown): Promise<unknown> {
  if (isReview(value)) {
    const decisions: unknown[] = [];
    for (const action of value.actionRequests) decisions.push(await decide(turn, calls, action));
    return { decisions };
  }
  const { question, options } = asQuestion(value);
  return (await turn.ask(question, { options })) ?? null;
}

/** The call that is reviewed was announced with the model's message. The graph runs its tool after the review. */
async function decide(turn: AgentTurn, calls: RelayedCalls, { name, args }: ActionRequest): Promise<{ type: string }> {
  const call = calls.open(name, args) ?? (await calls.input(crypto.randomUUID(), name, args));
  const allowed = call !== undefined && (await turn.requestPermission(call)).allowed;
  return { type: allowed ? "approve" : "reject" };
}

function isReview(value: unknown): value is Review {
  return (
    typeof value === "object" && value !== null && "actionRequests" in value && Array.isArray(value.actionRequests)
  );
}

/** A text is the question; so is `question`, `message` or `value` of an object, with its `options`. */
function asQuestion(value: unknown): { question: string; options: string[] } {
  if (typeof value !== "object" || value === null) return { question: String(value), options: [] };
  const { question, message, value: inner, options } = value as Readonly<Record<string, unknown>>;
  const text = [question, message, inner].find((one): one is string => typeof one === "string");
  const choices = Array.isArray(options) ? options.filter((one): one is string => typeof one === "string") : [];
  return { question: text ?? JSON.stringify(value), options: choices };
}
