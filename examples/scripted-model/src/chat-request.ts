import * as z from "zod";

const ContentPart = z.looseObject({ type: z.string(), text: z.string().optional() });
const ToolCall = z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) });

const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(ContentPart), z.null()]).optional(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
});

/** The part of a chat completion request that the scripted model reads. */
export const ChatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
});

/** A chat completion request. */
export type ChatRequest = z.infer<typeof ChatRequest>;
/** One message of the conversation. */
export type ChatMessage = z.infer<typeof Message>;
