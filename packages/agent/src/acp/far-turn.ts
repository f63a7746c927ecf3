import type {
  Form,
  FormField,
  PermissionAnswer,
  PermissionQuestion,
  ToolCallState as AcpToolCall,
  UpdateEvent,
} from "@editwire/acp";
import type { AgentQuestionOption } from "../events.js";
import type { AgentToolCall } from "../tool-call.js";
import type { AgentTurn } from "../turn.js";
import { callOf, eventOf, statusOf } from "./far-events.js";

/** Carries what an ACP agent sends in a turn into a turn here. */
export class FarAcpTurn {
  readonly #turn: AgentTurn;
  readonly #calls = new Map<string, Promise<AgentToolCall>>();

  constructor(turn: AgentTurn) {
    this.#turn = turn;
  }

  /** Carries an update. Returns a promise when an editor is slow. */
  update(event: UpdateEvent): void | Promise<void> {
    if (event.type === "user") return; // the prompt, which some agents repeat
    if (event.type === "tool_call") return this.#toolCall(event.toolCall);
    const carried = eventOf(event);
    if (carried !== undefined) return this.#turn.send(carried);
  }

  /** Asks the user what the agent asks. */
  async permission({ toolCall, options }: PermissionQuestion): Promise<PermissionAnswer> {
    const { content = [], locations = [], rawInput, rawOutput, kind, toolCallId, title } = toolCall;
    const known = { toolCallId, title, kind, content, locations, rawInput, rawOutput };
    const call = await this.#callOf(known, "pending");
    const decision = await this.#turn.requestPermission(call, options);
    return decision.outcome === "selected" ? { optionId: decision.optionId } : "cancelled";
  }

  /** Asks the user what a form asks. */
  async form({ message, fields }: Form): Promise<Readonly<Record<string, unknown>> | "decline" | "cancel"> {
    const values: Record<string, unknown> = {};
    for (const question of questionsIn(fields)) {
      const options = optionsOf(question.field);
      const allowFreeform = options.length === 0 || question.words !== undefined;
      const text = fields.length <= 2 ? message : `${message}\n${question.field.label}`;
      const answer = await this.#turn.ask(text, { options, allowFreeform });
      if (this.#turn.signal.aborted) return "cancel";
      if (answer === undefined) return "decline";
      Object.assign(values, valuesOf(question, answer));
    }
    return values;
  }

  async #toolCall(state: AcpToolCall): Promise<void> {
    const status = statusOf(state);
    const isNew = !this.#calls.has(state.toolCallId);
    const call = await this.#callOf(state, status === "in_progress" ? status : "pending");
    if (isNew && call.state.status === status) return;
    const { toolCallId: _, status: __, ...change } = callOf(state);
    await call.change(status, change);
  }

  #callOf(state: Omit<AcpToolCall, "status">, status: "pending" | "in_progress"): Promise<AgentToolCall> {
    const known = this.#calls.get(state.toolCallId) ?? this.#turn.toolCall({ ...callOf(state), status });
    this.#calls.set(state.toolCallId, known);
    return known;
  }
}

/** A field to ask about, and the field for an answer in the user's own words, if there is one. */
interface FieldQuestion {
  readonly field: FormField;
  readonly words?: FormField | undefined;
}

/** A choice with an optional text beside it is one question. */
function questionsIn(fields: readonly FormField[]): FieldQuestion[] {
  const known = fields.filter(({ type }) => type !== "unknown");
  const [field, words] = known;
  if (known.length === 2 && field?.type === "choice" && words?.type === "text" && !words.required)
    return [{ field, words }];
  return known.map((one) => ({ field: one }));
}

function optionsOf({ type, choices }: FormField): AgentQuestionOption[] {
  if (type === "boolean") return [{ label: "yes" }, { label: "no" }];
  return choices.map(({ label, description }) => ({ label, ...(description === undefined ? {} : { description }) }));
}

function valuesOf({ field, words }: FieldQuestion, answer: string): Record<string, unknown> {
  const { name, type, choices } = field;
  const chosen = choices.find(({ label, value }) => label === answer || value === answer);
  if (chosen !== undefined) return { [name]: type === "choices" ? [chosen.value] : chosen.value };
  if (words !== undefined) return { [words.name]: answer };
  return { [name]: type === "boolean" ? answer === "yes" : answer };
}
