import type { OfferedTool } from "./conversation.js";
import type { ToolRequest } from "./script.js";

/**
 * The name and the arguments of a target's tool for one kind of work. `{path}` and other placeholders stand for what it
 * works on.
 */
export interface ToolMapping {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The tools of a target by kind: `read`, `edit`, `execute`, `search`, `plan` or any other. */
export type ToolMap = Readonly<Record<string, ToolMapping>>;

/** Arguments of a tool call, by their usual names. */
export type ToolValues = Readonly<Record<string, unknown>>;

/**
 * The call of an offered tool of a kind, found by the map or else by common names; `undefined` when no such tool is
 * offered.
 */
export function callFor(
  kind: string,
  values: ToolValues,
  offered: ReadonlyMap<string, OfferedTool>,
  map: ToolMap,
): ToolRequest | undefined {
  const mapped = Object.hasOwn(map, kind) ? map[kind] : undefined;
  if (mapped !== undefined) {
    return offered.has(mapped.name)
      ? { name: mapped.name, args: fill(mapped.args, values) as Record<string, unknown> }
      : undefined;
  }
  const name = Object.hasOwn(usualNames, kind) ? usualNames[kind] : undefined;
  const tool = name && [...offered.values()].find((one) => name.test(one.name));
  return tool && { name: tool.name, args: guessArgs(tool.parameters, values) };
}

/** A placeholder that is all of a text keeps its value's type. */
function fill(template: unknown, values: ToolValues): unknown {
  if (Array.isArray(template)) return template.map((item) => fill(item, values));
  if (typeof template === "object" && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, values)]));
  }
  if (typeof template !== "string") return template;
  const whole = /^\{(\w+)\}$/.exec(template)?.[1];
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole];
  return template.replace(/\{(\w+)\}/g, (text, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : text,
  );
}

const usualNames: Readonly<Record<string, RegExp>> = {
  read: /^(read|view|cat|open)([_-]?(text[_-]?)?file)?$/i,
  edit: /^(write|create)([_-]?(to[_-]?)?file)?$/i,
  execute: /^(bash|shell|exec|execute|terminal|run)([_-]?(shell[_-]?)?(command|cmd|terminal))?$/i,
  search: /^(grep|search|search_?files?|grep_search|ripgrep)$/i,
  plan: /^(update_?plan|todo_?write|write_?todos|plan)$/i,
};

const usualArguments: readonly (readonly [RegExp, string])[] = [
  [/^(absolute_?)?(file_?)?path$|^file(_?name)?$/i, "path"],
  [/^(file_?)?(content|text)s?$/i, "content"],
  [/^argv$/i, "argv"],
  [/^(command|cmd|script)$/i, "command"],
  [/pattern|query|regex/i, "pattern"],
  [/^(entries|todos|plan|steps)$/i, "entries"],
  [/description|explanation|reason/i, "reason"],
];

/** Fills the arguments of a tool that no map has, by their names, and what is required by its type. */
function guessArgs({ properties, required }: OfferedTool["parameters"], values: ToolValues): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  for (const [name, schema] of Object.entries(properties ?? {})) {
    const key = usualArguments.find(([pattern]) => pattern.test(name))?.[1];
    const { type } = (schema ?? {}) as { type?: unknown };
    if (key === "command" && type === "array") args[name] = values["argv"];
    else if (key !== undefined && Object.hasOwn(values, key)) args[name] = values[key];
    else if (needed.includes(name)) args[name] = emptyOf(schema);
  }
  return args;
}

function emptyOf(schema: unknown): unknown {
  const { type, enum: choices } = (schema ?? {}) as { type?: unknown; enum?: readonly unknown[] };
  if (choices !== undefined) return choices[0];
  if (type === "array") return [];
  if (type === "object") return {};
  if (type === "boolean") return false;
  return type === "number" || type === "integer" ? 1 : "";
}
