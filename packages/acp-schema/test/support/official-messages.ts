/** A definition of the official schema. */
export type Definition = { readonly [key: string]: unknown };

/** The official schema, as the SDK publishes it. */
export interface SchemaFile {
  readonly $defs: Readonly<Record<string, Definition>>;
}

/** One message of the official schema. */
export interface OfficialMessage {
  readonly from: string;
  readonly kind: "request" | "notification";
  readonly params: Definition | undefined;
  readonly result: Definition | undefined;
}

/** The messages of the official schema by their methods: each definition names its method and who receives it. */
export function messagesIn({ $defs }: SchemaFile): Map<string, OfficialMessage> {
  const messages = new Map<string, OfficialMessage>();
  for (const [name, definition] of Object.entries($defs)) {
    const { "x-method": method, "x-side": side } = definition;
    if (typeof method !== "string") continue;
    const isResult = name.endsWith("Response");
    const before = messages.get(method);
    messages.set(method, {
      from: side === "protocol" ? "both" : side === "agent" ? "client" : "agent",
      kind: isResult || before?.result !== undefined || name.endsWith("Request") ? "request" : "notification",
      params: isResult ? before?.params : definition,
      result: isResult ? definition : before?.result,
    });
  }
  return messages;
}

/** The error codes that the official schema names, in ascending order. */
export function errorCodesIn({ $defs }: SchemaFile): number[] {
  const choices = ($defs["ErrorCode"]?.["anyOf"] ?? []) as readonly Definition[];
  return choices.flatMap(({ const: code }) => (typeof code === "number" ? [code] : [])).sort((a, b) => a - b);
}
