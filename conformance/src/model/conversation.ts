/** A tool that the caller offers to the model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A tool call as an earlier answer made it. */
export interface MadeCall {
  /** Absent in APIs that tell calls apart by their order. */
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The result of a tool call. */
export interface ToolResult {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly text: string;
}

/** One message of a conversation, whichever API it came by. One that carries tool results has the role `tool`. */
export interface ModelMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly MadeCall[];
  readonly results: readonly ToolResult[];
}

/** A request to a model, in the same form for every API. */
export interface ModelConversation {
  /** The model's name as the caller gave it. */
  readonly model: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly OfferedTool[];
  /** Whether the answer comes in pieces. */
  readonly stream: boolean;
}

/** Makes a message of the parts that it has. */
export function messageOf(
  role: ModelMessage["role"],
  { text = "", calls = [], results = [] }: Partial<ModelMessage>,
): ModelMessage {
  return { role: results.length > 0 ? "tool" : role, text, calls, results };
}

/** Reads the arguments of a call, which a model may have written in any way; what is not an object has none. */
export function argsOf(json: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof json === "string" ? JSON.parse(json) : json;
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
