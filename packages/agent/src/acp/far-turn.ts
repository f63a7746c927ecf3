import type {
  AcpTerminal,
  Form,
  FormField,
  AcpPermissionAnswer,
  AcpPermissionQuestion,
  AcpUpdateEvent,
} from "@editwire/acp";
import type { AgentQuestionOption } from "../events.js";
import { FarCalls } from "../far/far-calls.js";
import type { AgentTurn } from "../session.js";
import type { LendingTurn } from "./far-editor.js";
import { callOf, eventOf, nameIn, statusOf } from "./far-events.js";

/** Carries what an ACP agent sends in a turn into a turn here. */
export class FarAcpTurn implements LendingTurn {
  readonly turn: AgentTurn;
  readonly terminals = new Map<string, AcpTerminal>();
  readonly #calls: FarCalls;

  constructor(turn: AgentTurn) {
    this.turn = turn;
    this.#calls = new FarCalls(turn);
  }

  /** Carries an update. Returns a promise when an editor is slow. */
  update(event: AcpUpdateEvent): void | Promise<void> {
    if (event.type === "user") return; // the prompt, which some agents repeat
    if (event.type === "tool_call")
      return this.#calls.update(callOf(event.toolCall, nameIn(event.update)), statusOf(event.toolCall));
    const carried = eventOf(event);
    if (carried !== undefined) return this.turn.send(carried);
  }

  /** Asks the user what the agent asks. */
  async permission({ toolCall, options }: AcpPermissionQuestion): Promise<AcpPermissionAnswer> {
    const { content = [], locations = [], rawInput, rawOutput, kind, toolCallId, title } = toolCall;
    const known = { toolCallId, title, kind, content, locations, rawInput, rawOutput };
    const call = await this.#calls.asked(callOf(known, nameIn(toolCall)));
    const decision = await this.turn.requestPermission(call, options);
    return decision.outcome === "selected" ? { optionId: decision.optionId } : "cancelled";
  }

  /** Asks the user what a form asks. */
  async form({
    message,
    fields,
    question: { toolCallId: farId },
  }: Form): Promise<Readonly<Record<string, unknown>> | "decline" | "cancel"> {
    const values: Record<string, unknown> = {};
    const toolCallId = await this.#calls.idOf(farId);
    for (const question of questionsIn(fields)) {
      const options = optionsOf(question.field);
      const allowFreeform = options.length === 0 || question.words !== undefined;
      const text = fields.length <= 2 ? message : `${message}\n${question.field.label}`;
      const answer = await this.turn.ask(text, { options, allowFreeform, toolCallId });
      if (this.turn.signal.aborted) return "cancel";
      if (answer === undefined) return "decline";
      Object.assign(values, valuesOf(question, answer));
    }
    return values;
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
