import type { AcpForm, AcpFormField } from "@editwire/acp";
import type { AgentQuestionOption } from "../api/events.js";
import type { AgentTurn } from "../api/session.js";

/** The user's input by the names of the fields, or how they refused. */
type Filled = Readonly<Record<string, unknown>> | "decline" | "cancel";

/**
 * Asks the user what a form asks, one field after the other; when the form comes again, only those that did not fit. A
 * form that questions cannot fill in is declined.
 */
export async function fillForm(form: AcpForm, turn: AgentTurn, toolCallId: string | undefined): Promise<Filled> {
  const { message, fields, values: before, issues } = form;
  if (fields.some((field) => isUnknown(field) && field.required && before[field.name] === undefined)) return "decline";
  const questions = questionsIn(fields);
  if (questions.length === 0) return agrees(form, turn, toolCallId);
  const wrong = (name: string | undefined): string | undefined => issues.find(({ field }) => field === name)?.message;
  const values: Record<string, unknown> = { ...before };
  for (const question of questions) {
    const { field, words } = question;
    const issue = wrong(field.name) ?? wrong(words?.name);
    if (issues.length > 0 && issue === undefined) continue;
    const options = optionsOf(field);
    const isSeveral = field.type === "choices";
    const allowFreeform = options.length === 0 || isSeveral || (words !== undefined && !field.required);
    const label = issue === undefined ? field.label : `${field.label}: ${issue}`;
    const asked = questions.length === 1 && issue === undefined ? message : `${message}\n${label}`;
    const text = isSeveral ? `${asked}\n${severalHint}` : asked;
    const answer = await turn.ask(text, { options, allowFreeform, toolCallId });
    if (turn.signal.aborted) return "cancel";
    if (answer === undefined) return "decline";
    for (const name of [field.name, words?.name]) if (name !== undefined) delete values[name];
    Object.assign(values, valuesOf(question, answer));
  }
  return values;
}

/** The parts of a form that have no place in a question. */
export function lostInForm({ fields }: AcpForm): readonly string[] {
  return fields.filter(isUnknown).map(({ property }) => `a field of the type ${String(property.type)}`);
}

/** A form with nothing to ask about is accepted as it is, or declined. */
async function agrees({ message, values }: AcpForm, turn: AgentTurn, toolCallId: string | undefined): Promise<Filled> {
  const answer = await turn.ask(message, { options: yesOrNo, allowFreeform: false, toolCallId });
  if (turn.signal.aborted) return "cancel";
  return answer === "yes" ? values : "decline";
}

/**
 * A field to ask about, and the field for an answer in the user's own words, if there is one. Such an answer leaves the
 * first field empty, so only one that is not required can be answered by it.
 */
interface FieldQuestion {
  readonly field: AcpFormField;
  readonly words?: AcpFormField | undefined;
}

/** A choice with an optional text beside it is one question. */
function questionsIn(fields: readonly AcpFormField[]): FieldQuestion[] {
  const known = fields.filter((field) => !isUnknown(field));
  const [field, words] = known;
  if (known.length === 2 && field?.type === "choice" && words?.type === "text" && !words.required)
    return [{ field, words }];
  return known.map((one) => ({ field: one }));
}

function isUnknown({ type }: AcpFormField): boolean {
  return type === "unknown";
}

/** How a user who writes the answer gives several. */
const severalHint = "You can give several answers, separated by commas.";

const yesOrNo: readonly AgentQuestionOption[] = [{ label: "yes" }, { label: "no" }];

function optionsOf({ type, choices }: AcpFormField): readonly AgentQuestionOption[] {
  if (type === "boolean") return yesOrNo;
  return choices.map(({ label, description }) => ({ label, ...(description === undefined ? {} : { description }) }));
}

function valuesOf({ field, words }: FieldQuestion, answer: string): Record<string, unknown> {
  const { name, type, choices } = field;
  const valueOf = (text: string): string | undefined =>
    choices.find(({ label, value }) => label === text || value === text)?.value;
  const chosen = valueOf(answer);
  if (type === "choices") {
    const several = answer.split(",").map((text) => text.trim());
    return { [name]: chosen === undefined ? several.map((text) => valueOf(text) ?? text) : [chosen] };
  }
  if (chosen !== undefined) return { [name]: chosen };
  if (words !== undefined) return { [words.name]: answer };
  return { [name]: type === "boolean" ? answer === "yes" : answer };
}
