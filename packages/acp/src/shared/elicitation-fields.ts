import type { ElicitationProperty, ElicitationSchema, ElicitationValue, TitledChoice } from "@editwire/acp-schema";

/** A value that a field of a form offers. */
export interface AcpFormChoice {
  readonly value: string;
  /** The name that the user sees. */
  readonly label: string;
  readonly description: string | undefined;
}

/** One field of a form, in the terms of a view. */
export interface AcpFormField {
  readonly name: string;
  /** The text that the user sees: the title, or the name. */
  readonly label: string;
  readonly description: string | undefined;
  readonly required: boolean;
  /** `choice` takes one of `choices`, `choices` takes several. A view leaves out an `unknown` one. */
  readonly type: "text" | "number" | "integer" | "boolean" | "choice" | "choices" | "unknown";
  /** The possible choices; empty for other types. */
  readonly choices: readonly AcpFormChoice[];
  /** The initial value of the form. */
  readonly initial: ElicitationValue | undefined;
  /** The field as the agent described it, with its limits. */
  readonly property: ElicitationProperty;
}

/** The fields of a form, in the agent's order. */
export function formFields({ properties = {}, required = [] }: ElicitationSchema): AcpFormField[] {
  return Object.entries(properties).map(([name, property]) => {
    const choices = choicesOf(property);
    return {
      name,
      label: textOf(property["title"]) ?? name,
      description: textOf(property["description"]),
      required: required.includes(name),
      type: typeOf(property, choices),
      choices,
      initial: property["default"] as ElicitationValue | undefined,
      property,
    };
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function typeOf(property: ElicitationProperty, choices: readonly AcpFormChoice[]): AcpFormField["type"] {
  switch (property.type) {
    case "string":
      return choices.length > 0 ? "choice" : "text";
    case "number":
    case "integer":
    case "boolean":
      return property.type;
    case "array":
      return choices.length > 0 ? "choices" : "unknown";
    default:
      return "unknown";
  }
}

function choicesOf(property: ElicitationProperty): AcpFormChoice[] {
  if (property.type === "string") return property.oneOf?.map(titled) ?? property.enum?.map(plain) ?? [];
  if (property.type !== "array") return [];
  const { anyOf, enum: texts } = property.items as { anyOf?: TitledChoice[]; enum?: string[] };
  return anyOf?.map(titled) ?? texts?.map(plain) ?? [];
}

const titled = ({ const: value, title, description }: TitledChoice): AcpFormChoice => ({
  value,
  label: title,
  description,
});
const plain = (value: string): AcpFormChoice => ({ value, label: value, description: undefined });

/** A field whose value does not fit. */
export interface AcpFormIssue {
  /** The name of the field. */
  readonly field: string;
  /** The expected form, for the user. */
  readonly message: string;
}

/** The content of an answer, or what is wrong with it. */
export type AcpFormAnswer =
  | { readonly content: Record<string, ElicitationValue>; readonly issues?: undefined }
  | { readonly issues: readonly AcpFormIssue[]; readonly content?: undefined };

/**
 * Checks what was filled in. Texts are read as numbers, and as `true` or `false`, where a field takes those. An empty
 * text is a field that was left out. A `pattern` that could take very long to match is left to the agent.
 */
export function formAnswer(schema: ElicitationSchema, values: Readonly<Record<string, unknown>>): AcpFormAnswer {
  const content: Record<string, ElicitationValue> = {};
  const issues: AcpFormIssue[] = [];
  for (const field of formFields(schema)) {
    const value = Object.hasOwn(values, field.name) ? read(field, values[field.name]) : undefined;
    const message = value === undefined ? missing(field) : issueOf(field, value);
    if (message !== undefined) issues.push({ field: field.name, message });
    else if (value !== undefined) define(content, field.name, value as ElicitationValue);
  }
  return issues.length > 0 ? { issues } : { content };
}

/** Also for a field that is called `__proto__`. */
function define(content: object, name: string, value: ElicitationValue): void {
  Object.defineProperty(content, name, { value, enumerable: true, configurable: true, writable: true });
}

function missing({ required }: AcpFormField): string | undefined {
  return required ? "a value is required" : undefined;
}

function read({ type }: AcpFormField, value: unknown): unknown {
  if (value === "" || value === null) return undefined;
  if (typeof value !== "string") return value;
  const text = value.trim();
  if ((type === "number" || type === "integer") && text !== "" && Number.isFinite(Number(text))) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return value;
}

function issueOf(field: AcpFormField, value: unknown): string | undefined {
  const { property } = field;
  switch (property.type) {
    case "string":
      return typeof value === "string" ? textIssue(field, property, value) : "expected a text";
    case "number":
    case "integer":
      if (typeof value !== "number" || !Number.isFinite(value)) return "expected a number";
      return property.type === "integer" && !Number.isSafeInteger(value)
        ? "expected a whole number"
        : rangeIssue(property, value, "");
    case "boolean":
      return typeof value === "boolean" ? undefined : "expected yes or no";
    case "array":
      return choicesIssue(field, property, value);
    default:
      return undefined; // the agent knows what it asked for
  }
}

function textIssue(
  { choices }: AcpFormField,
  { minLength, maxLength, pattern, format }: Extract<ElicitationProperty, { type: "string" }>,
  value: string,
): string | undefined {
  if (choices.length > 0 && !choices.some((choice) => choice.value === value)) return "expected one of the choices";
  const range = rangeIssue({ minimum: minLength, maximum: maxLength }, [...value].length, " character");
  if (range !== undefined) return range;
  if (pattern !== undefined && matches(pattern, value) === false) return `expected a text that matches ${pattern}`;
  if (format !== undefined && formats[format]?.(value) === false) return `expected a ${formatNames[format]}`;
  return undefined;
}

function choicesIssue(
  { choices }: AcpFormField,
  { minItems, maxItems }: Extract<ElicitationProperty, { type: "array" }>,
  value: unknown,
): string | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return "expected a list of texts";
  if (!value.every((item) => choices.some((choice) => choice.value === item))) return "expected some of the choices";
  if (new Set(value).size < value.length) return "expected each choice once";
  return rangeIssue({ minimum: minItems, maximum: maxItems }, value.length, " choice");
}

function rangeIssue(
  { minimum, maximum }: { minimum?: number | undefined; maximum?: number | undefined },
  value: number,
  unit: string,
): string | undefined {
  const many = (count: number): string => `${count}${unit === "" || count === 1 ? unit : `${unit}s`}`;
  if (minimum !== undefined && value < minimum) return `expected at least ${many(minimum)}`;
  return maximum !== undefined && value > maximum ? `expected at most ${many(maximum)}` : undefined;
}

/** A group that repeats, of something that repeats or has alternatives: its matching time may grow exponentially. */
const maybeSlow = /[*+?}|][^()]*\)\s*[*+{]|\\\d/;

/** `undefined` for a pattern that is not tried. */
function matches(pattern: string, value: string): boolean | undefined {
  if (pattern.length > 1_000 || value.length > 10_000 || maybeSlow.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return undefined;
  }
}

const formatNames = {
  email: "mail address",
  uri: "URI",
  date: "date such as 2030-12-31",
  "date-time": "date and time",
};

const formats: Readonly<Record<keyof typeof formatNames, (value: string) => boolean>> = {
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  uri: (value) => URL.canParse(value),
  date: (value) => /^\d{4}-\d\d-\d\d$/.test(value) && isDate(value),
  "date-time": (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i.test(value) && isDate(value),
};

function isDate(value: string): boolean {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return false;
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day); // not 31 February
}
