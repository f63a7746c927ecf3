/** The usage that the AI SDK reports for one use of a model. */
export interface AiSdkUsage {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  /** Version 4 names them so, and gives `NaN` where the model does not say. */
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
}

/** A file that a model made. */
export interface AiSdkFile {
  readonly base64: string;
  readonly mediaType: string;
}

/** A page that an answer is taken from. */
export interface AiSdkSource {
  readonly url: string;
  readonly title?: string | undefined;
}

/** A tool call of the AI SDK. */
export interface AiSdkToolCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
}

/**
 * The parts of `fullStream` of `streamText` that say something to a user, as versions 5 to 7 of the package `ai` have
 * them; `aiSdkPart` reads those of version 4. Other parts are ignored.
 */
export type AiSdkPart =
  | { readonly type: "text-delta" | "reasoning-delta"; readonly text: string }
  | { readonly type: "file"; readonly file: AiSdkFile }
  | ({ readonly type: "source"; readonly sourceType: "url" } & AiSdkSource)
  | { readonly type: "source"; readonly sourceType: "document"; readonly title: string }
  | { readonly type: "tool-input-start"; readonly id: string; readonly toolName: string }
  | ({ readonly type: "tool-call" } & AiSdkToolCall)
  | {
      readonly type: "tool-result";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly preliminary?: boolean;
    }
  | { readonly type: "tool-error"; readonly toolCallId: string; readonly error: unknown }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | { readonly type: "tool-approval-request"; readonly approvalId: string; readonly toolCall: AiSdkToolCall }
  | { readonly type: "finish-step"; readonly usage: AiSdkUsage }
  | { readonly type: "finish"; readonly finishReason: string }
  | { readonly type: "abort" }
  | { readonly type: "error"; readonly error: unknown };

/** The types that version 4 names differently. */
const types: Readonly<Record<string, string>> = {
  reasoning: "reasoning-delta",
  "tool-call-streaming-start": "tool-input-start",
  "step-finish": "finish-step",
};

interface Version4Part {
  readonly type: string;
  readonly textDelta?: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly toolCallId?: string;
  readonly base64?: string;
  readonly mimeType?: string;
  readonly source?: AiSdkSource & { readonly sourceType: "url" };
}

/** Reads a part of any version. */
export function aiSdkPart(part: { readonly type: string }): AiSdkPart {
  const { textDelta, args, result, toolCallId, base64, mimeType, source }: Version4Part = part;
  const named = { text: textDelta, input: args, output: result, id: toolCallId, file: { base64, mediaType: mimeType } };
  return { ...named, ...source, ...part, type: types[part.type] ?? part.type } as AiSdkPart;
}
