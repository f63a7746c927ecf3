import type { AgentStopReason } from "../api/events.js";
import { type AgentTool, callTool } from "../tools/tool.js";
import type { AgentTurn } from "../api/session.js";
import { type AiSdkFile, type AiSdkPart, aiSdkPart, type AiSdkSource, type AiSdkUsage } from "./ai-sdk-parts.js";
import { RelayedCalls, type RelayOptions } from "./relayed-calls.js";

/** How a tool call with `needsApproval` may go on: a part of the `tool` message for the next `streamText`. */
export interface AiSdkApproval {
  readonly type: "tool-approval-response";
  readonly approvalId: string;
  readonly approved: boolean;
}

/** How a stream ended. */
export interface AiSdkEnd {
  readonly stopReason: AgentStopReason;
  /** The user's decisions. When there are any, call `streamText` again with them. */
  readonly approvals: readonly AiSdkApproval[];
}

/**
 * Says in a turn what a stream of the AI SDK says: `relayAiSdk(turn, streamText({ … }).fullStream)`. Tools that the
 * SDK runs become tool calls; one with `needsApproval` asks the user. Rejects with the error of the stream. A
 * `finishReason` of `unknown`, by which older versions say that the answer was cut off, is reported to `onError`.
 */
export async function relayAiSdk(
  turn: AgentTurn,
  stream: AsyncIterable<AiSdkPart | { readonly type: string }>,
  options: RelayOptions = {},
): Promise<AiSdkEnd> {
  const relay = new AiSdkRelay(turn, options);
  for await (const part of stream) await relay.take(aiSdkPart(part));
  return relay.end;
}

class AiSdkRelay {
  readonly #turn: AgentTurn;
  readonly #calls: RelayedCalls;
  readonly #approvals: AiSdkApproval[] = [];
  #stopReason: AgentStopReason = "end_turn";

  constructor(turn: AgentTurn, options: RelayOptions) {
    this.#turn = turn;
    this.#calls = new RelayedCalls(turn, options);
  }

  get end(): AiSdkEnd {
    return { stopReason: this.#stopReason, approvals: this.#approvals };
  }

  async take(part: AiSdkPart): Promise<void> {
    const turn = this.#turn;
    switch (part.type) {
      case "text-delta":
        return turn.text(part.text);
      case "reasoning-delta":
        return turn.thought(part.text);
      case "file":
        return this.#file(part.file);
      case "source":
        return part.sourceType === "url" ? this.#source(part) : undefined; // a document is a file of the prompt
      case "tool-input-start":
        return this.#calls.begin(part.id, part.toolName);
      case "tool-call":
        return void (await this.#calls.input(part.toolCallId, part.toolName, part.input));
      case "tool-result":
        if (part.preliminary === true) return this.#calls.update(part.toolCallId, part.output);
        return this.#calls.complete(part.toolCallId, part.output);
      case "tool-error":
        if (turn.signal.aborted) return; // the call ends with the turn
        turn.report(part.error);
        return this.#calls.fail(part.toolCallId, part.error);
      case "tool-output-denied":
        return this.#calls.reject(part.toolCallId);
      case "tool-approval-request":
        return this.#approve(part);
      case "finish-step":
        return this.#usage(part.usage);
      case "finish":
        this.#stopReason = stopReasons[part.finishReason] ?? "end_turn";
        if (part.finishReason === "unknown" && !turn.signal.aborted)
          turn.report(new Error("relayAiSdk: the model's answer has no finish reason; it may be cut off"));
        return;
      case "abort":
        this.#stopReason = "cancelled";
        return;
      case "error":
        if (!turn.signal.aborted) throw part.error;
    }
  }

  async #approve(part: Extract<AiSdkPart, { type: "tool-approval-request" }>): Promise<void> {
    const { toolCallId, toolName, input } = part.toolCall;
    const call = await this.#calls.input(toolCallId, toolName, input);
    const approved = call !== undefined && (await this.#turn.requestPermission(call)).allowed;
    this.#approvals.push({ type: "tool-approval-response", approvalId: part.approvalId, approved });
  }

  async #file({ base64, mediaType }: AiSdkFile): Promise<void> {
    const [kind] = mediaType.split("/");
    if (kind === "image" || kind === "audio")
      return this.#turn.content({ type: kind, data: base64, mimeType: mediaType });
    const uri = `file-${crypto.randomUUID()}`;
    return this.#turn.content({ type: "resource", resource: { uri, blob: base64, mimeType: mediaType } });
  }

  #source({ url, title }: AiSdkSource): void | Promise<void> {
    return this.#turn.content({ type: "resource_link", uri: url, name: title ?? url });
  }

  #usage(usage: AiSdkUsage): void | Promise<void> {
    const inputTokens = usage.inputTokens ?? (usage.promptTokens || undefined);
    const outputTokens = usage.outputTokens ?? (usage.completionTokens || undefined);
    if (inputTokens !== undefined || outputTokens !== undefined) return this.#turn.usage({ inputTokens, outputTokens });
  }
}

/** The reasons of the AI SDK for an end; any other is an ordinary end. */
const stopReasons: Readonly<Record<string, AgentStopReason>> = {
  length: "max_tokens",
  "content-filter": "refusal",
  "tool-calls": "max_turn_requests",
};

/** A tool as `streamText` takes it. */
export interface AiSdkTool<Schema> {
  description: string;
  inputSchema: Schema;
  /** The schema, as version 4 of the package names it. */
  parameters: Schema;
  execute(input: unknown, options: { readonly toolCallId: string }): Promise<string>;
}

/**
 * Makes an agent's tools ones that `streamText` calls; `jsonSchema` is the function of the package `ai`. Their calls
 * show themselves and ask the user where the tool demands it, so name them in the options of `relayAiSdk`, too.
 */
export function aiSdkTools<Schema>(
  turn: AgentTurn,
  tools: readonly AgentTool[],
  jsonSchema: (schema: never) => Schema,
): Record<string, AiSdkTool<Schema>> {
  return Object.fromEntries(
    tools.map((tool) => {
      const inputSchema = jsonSchema(tool.inputSchema as never);
      return [
        tool.name,
        {
          description: tool.description,
          inputSchema,
          parameters: inputSchema,
          execute: async (input, { toolCallId }) => (await callTool(turn, tool, input, { toolCallId })).text,
        },
      ];
    }),
  );
}
