import { isObject } from "@editwire/core";
import { shown } from "../options/checks.js";
import { readPages } from "./read-pages.js";

/** A tool in the list of an MCP server, as far as it is checked. */
export interface ListedMcpTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
  readonly [key: string]: unknown;
}

/** How the list of an MCP server's tools is read. */
export interface ListMcpToolsOptions {
  /** Tools that are used; more are left out. */
  readonly maxTools: number;
  /** Called for each tool that cannot be used, with its name, or its place where it has none. */
  readonly onSkipped: (tool: string, why: string) => void;
}

/**
 * Reads the tools of an MCP server. `list` returns the unchecked result of `tools/list`. A tool that does not fit the
 * protocol is skipped, and the others are used. Rejects with what `list` rejects with, and with a `TypeError` for a
 * result without a list.
 */
export async function listMcpTools(
  list: (cursor: string | undefined) => Promise<unknown>,
  { maxTools, onSkipped }: ListMcpToolsOptions,
): Promise<ListedMcpTool[]> {
  let place = 0;
  const read = async (cursor: string | undefined) => {
    const { tools, nextCursor } = (await list(cursor)) as { readonly tools?: unknown; readonly nextCursor?: unknown };
    if (!Array.isArray(tools)) throw new TypeError("tools/list: expected tools to be an array");
    const items = tools.flatMap((given: unknown) => {
      place++;
      const tool = isObject(given) ? withoutNulls(given) : given;
      const problem = problemOf(tool);
      if (problem === undefined) return [tool as ListedMcpTool];
      onSkipped(nameOf(tool) ?? `number ${place}`, problem);
      return [];
    });
    return { items, nextCursor: typeof nextCursor === "string" ? nextCursor : undefined };
  };
  return readPages(read, ({ name }) => name, maxTools);
}

/** Some languages write null where a field is absent. */
function withoutNulls(tool: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== null));
}

function nameOf(tool: unknown): string | undefined {
  const name = isObject(tool) ? tool["name"] : undefined;
  return typeof name === "string" && name !== "" ? JSON.stringify(name) : undefined;
}

function problemOf(tool: unknown): string | undefined {
  if (!isObject(tool)) return `expected an object, received ${shown(tool)}`;
  const { name, description, title, inputSchema, outputSchema, annotations } = tool;
  if (typeof name !== "string" || name === "") return `name: expected a text, received ${shown(name)}`;
  for (const [field, value] of Object.entries({ description, title }))
    if (value !== undefined && typeof value !== "string") return `${field}: expected a text, received ${shown(value)}`;
  if (annotations !== undefined && !isObject(annotations))
    return `annotations: expected an object, received ${shown(annotations)}`;
  const outputProblem = outputSchema === undefined ? undefined : schemaProblem("outputSchema", outputSchema);
  return schemaProblem("inputSchema", inputSchema) ?? outputProblem;
}

/** Why a value is not the JSON Schema of an object, as MCP requires. */
function schemaProblem(field: string, schema: unknown): string | undefined {
  if (!isObject(schema)) return `${field}: expected a JSON Schema, received ${shown(schema)}`;
  const { type, properties, required } = schema;
  if (type !== "object") return `${field}.type: expected "object", received ${shown(type)}`;
  if (properties !== undefined && !isObject(properties))
    return `${field}.properties: expected an object, received ${shown(properties)}`;
  const wrong = Object.entries(properties ?? {}).find(([, each]) => !isObject(each) && typeof each !== "boolean");
  if (wrong !== undefined)
    return `${field}.properties.${wrong[0]}: expected a JSON Schema, received ${shown(wrong[1])}`;
  const areNames =
    required === undefined || (Array.isArray(required) && required.every((each) => typeof each === "string"));
  return areNames ? undefined : `${field}.required: expected a list of names, received ${shown(required)}`;
}
