import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { serveAcpStdio } from "@editwire/acp/node";
import { createAgent, toAcp } from "@editwire/agent";
import { relayAiSdk } from "@editwire/agent/ai-sdk";
import { streamText } from "ai";

const model = createOpenAICompatible({ name: "local", baseURL: "http://127.0.0.1:11434/v1" })("qwen3");

const agent = createAgent({
  async prompt(turn) {
    const { fullStream } = streamText({ model, prompt: turn.promptText, abortSignal: turn.signal });
    return (await relayAiSdk(turn, fullStream)).stopReason;
  },
});

serveAcpStdio(toAcp(agent));
