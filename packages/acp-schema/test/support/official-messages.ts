/** A definition of the official schema. */
export type Definition = { readonly [key: string]: unknown };

/** The official schema, as the SDK publishes it. */
export interface SchemaFile {
  readonly $defs: Readonly<Record<string, Definition>>;
}

/** One message of the official schema. */
export interface OfficialMessage {
  readonly method: string;
  readonly from: string;
  readonly kind: "request" | "notification";
  readonly params: Definition | undefined;
  readonly result: Definition | undefined;
}

/** The messages of the official schema: each definition names its method and who receives it. */
export function messagesIn({ $defs }: SchemaFile): OfficialMessage[] {
  const named = Object.entries($defs).flatMap(([name, definition]) => {
    const { "x-method": method, "x-side": side } = definition;
    return typeof method === "string" ? [{ name, definition, method, side }] : [];
  });
  const results = new Map(
    named.flatMap(({ name, method, definition }) => (name.endsWith("Response") ? [[method, definition]] : [])),
  );
  return named
    .filter(({ name }) => !name.endsWith("Response"))
    .map(({ name, method, side, definition }) => {
      const kind = name.endsWith("Request") ? "request" : "notification";
      const result = kind === "request" ? results.get(method) : undefined;
      return { method, from: senderOf(method, side), kind, params: definition, result };
    });
}

/** A conductor is the client of its proxy. A message that a proxy forwards goes both ways. */
function senderOf(method: string, receiver: unknown): string {
  if (receiver === "protocol" || method === "proxy/successor") return "both";
  return receiver === "client" ? "agent" : "client";
}

/** The error codes that the official schema names, in ascending order. */
export function errorCodesIn({ $defs }: SchemaFile): number[] {
  const choices = ($defs["ErrorCode"]?.["anyOf"] ?? []) as readonly Definition[];
  return choices.flatMap(({ const: code }) => (typeof code === "number" ? [code] : [])).sort((a, b) => a - b);
}
