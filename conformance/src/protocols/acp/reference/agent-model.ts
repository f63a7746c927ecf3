import { SseCutter } from "../../../wire/sse.js";

/** The language model behind a turn. */
export interface AgentModel {
  /** Base URL of an API like OpenAI's. */
  readonly url: string;
  /** Ends the question. */
  readonly signal: AbortSignal | undefined;
  /** Further questions once the first one is over, no matter who waits for it. */
  furtherPrompts(prompt: string): readonly string[];
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown };
    readonly finish_reason?: string | null;
  }[];
}

const stopReasons: Readonly<Record<string, string>> = { length: "max_tokens", content_filter: "refusal" };

/** Sends the model's answer piece by piece. Resolves with the stop reason, and at once when the turn is canceled. */
export async function askModel(
  model: AgentModel,
  prompt: string,
  turn: AbortSignal,
  say: (text: string) => void,
): Promise<string> {
  const cancelled = new Promise<string>((resolve) =>
    turn.addEventListener("abort", () => resolve("cancelled"), { once: true }),
  );
  const answered = ask(model, prompt, (text) => {
    if (!turn.aborted) say(text);
  }).catch(() => "refusal");
  const end = await Promise.race([answered, cancelled]);
  for (const further of model.furtherPrompts(prompt))
    void ask({ ...model, signal: undefined }, further, () => {}).catch(() => {});
  return end;
}

async function ask({ url, signal }: AgentModel, prompt: string, say: (text: string) => void): Promise<string> {
  const body = JSON.stringify({ model: "any", stream: true, messages: [{ role: "user", content: prompt }] });
  const response = await fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    signal: signal ?? null,
  });
  if (!response.ok || response.body === null) return "refusal";
  const cutter = new SseCutter();
  let reason = "end_turn";
  for await (const bytes of response.body) {
    for (const part of cutter.push(bytes as Uint8Array)) {
      if (part.kind !== "event" || part.data === "[DONE]") continue;
      const [choice] = (JSON.parse(part.data) as Chunk).choices ?? [];
      if (typeof choice?.delta?.content === "string" && choice.delta.content !== "") say(choice.delta.content);
      reason = stopReasons[choice?.finish_reason ?? ""] ?? reason;
    }
  }
  return reason;
}
