import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { tool as langChainTool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { Command, MemorySaver } from "@langchain/langgraph";
import { jsonSchema, stepCountIs, streamText } from "ai";
import { createAgent as createGraph } from "langchain";
import OpenAI from "openai";
import { aiSdkTools, relayAiSdk } from "../../src/adapters/ai-sdk.js";
import { langChainTools, relayLangGraph } from "../../src/adapters/lang-graph.js";
import { openAiTools, relayOpenAi, runOpenAiTools } from "../../src/adapters/open-ai.js";
import type { AgentTool, AgentTurnHandler } from "../../src/index.js";

/** Adds two numbers, after the user allowed it. */
const add: AgentTool = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  kind: "execute",
  describe: () => ({ title: "Add two numbers" }),
  run(input) {
    const { a, b } = input as { a: number; b: number };
    return { text: String(a + b) };
  },
};

/** One agent for each library, all of them with the model at `baseURL` and the tool `add`. */
export const agents: Readonly<Record<string, (baseURL: string) => AgentTurnHandler>> = {
  "the AI SDK": (baseURL) => {
    const model = createOpenAICompatible({ name: "loopback", baseURL, includeUsage: true })("loopback");
    return async (turn) => {
      const { fullStream } = streamText({
        model,
        tools: aiSdkTools(turn, [add], jsonSchema),
        prompt: turn.promptText,
        stopWhen: stepCountIs(5),
        maxRetries: 0,
        abortSignal: turn.signal,
        onError: () => {},
      });
      return (await relayAiSdk(turn, fullStream, { tools: [add] })).stopReason;
    };
  },
  "LangGraph.js": (baseURL) => {
    const model = new ChatOpenAI({ model: "loopback", apiKey: "none", configuration: { baseURL }, maxRetries: 0 });
    const checkpointer = new MemorySaver();
    return async (turn) => {
      const graph = createGraph({ model, tools: langChainTools(turn, [add], langChainTool), checkpointer });
      const config = { configurable: { thread_id: turn.session.id }, signal: turn.signal };
      let input: unknown = { messages: [{ role: "user", content: turn.promptText }] };
      for (;;) {
        const stream = await graph.stream(input as never, { ...config, streamMode: ["messages", "updates"] });
        const { stopReason, resume } = await relayLangGraph(turn, stream as never, { tools: [add] });
        if (resume === undefined) return stopReason;
        input = new Command({ resume });
      }
    };
  },
  "an OpenAI-compatible server": (baseURL) => openAiAgent(baseURL, [add]),
};

/** An agent with the model of an OpenAI-compatible server. */
export function openAiAgent(
  baseURL: string,
  tools: readonly AgentTool[],
  run: typeof runOpenAiTools = runOpenAiTools,
): AgentTurnHandler {
  const client = new OpenAI({ apiKey: "none", baseURL, maxRetries: 0 });
  return async (turn) => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: turn.promptText }];
    for (;;) {
      const stream = await client.chat.completions.create(
        {
          model: "loopback",
          messages,
          tools: openAiTools(tools),
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal: turn.signal },
      );
      const { stopReason, message, toolCalls } = await relayOpenAi(turn, stream);
      if (toolCalls.length === 0) return stopReason;
      messages.push(message, ...(await run(turn, tools, toolCalls)));
    }
  };
}
