import type { ModelApi } from "../api.js";
import { anthropic } from "./anthropic.js";
import { gemini } from "./gemini.js";
import { ollama } from "./ollama.js";
import { openAiChat } from "./openai-chat.js";
import { openAiResponses } from "./openai-responses.js";

/** Every API that the scripted model speaks. */
export const modelApis: readonly ModelApi[] = [openAiChat, openAiResponses, anthropic, gemini, ollama];
