import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A message of a request, as far as the model looks at it. */
interface RequestMessage {
  readonly role: string;
  readonly content: unknown;
}

/** A model behind the Chat Completions API, on this machine. */
export interface LoopbackModel {
  /** The `baseURL` of its clients. */
  readonly url: string;
  /** The requests so far. */
  readonly requests: readonly { readonly messages: readonly RequestMessage[]; readonly tools?: readonly unknown[] }[];
  close(): Promise<void>;
}

/** Pieces of the model's first answer: text, and a call of a tool whose arguments come in two pieces. */
function wantsTool(name = "add"): readonly object[] {
  const [first, second] = name === "grep_file" ? ['{"pattern":', '"needle"}'] : ['{"a":1,', '"b":2}'];
  return [
    { role: "assistant", content: "Let me " },
    { content: "add." },
    { tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name, arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: first } }] },
    { tool_calls: [{ index: 0, function: { arguments: second } }] },
  ];
}

/**
 * Asks for the first tool, and then says what the tool said. To "long", it breaks off; to "break", it fails; to
 * "think", it has thoughts, and its answer does not end.
 */
export async function loopbackModel(): Promise<LoopbackModel> {
  const requests: LoopbackModel["requests"][number][] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { messages, tools } = JSON.parse(body) as LoopbackModel["requests"][number];
    requests.push({ messages, ...(tools && { tools }) });
    const last = messages.at(-1);
    const said = JSON.stringify(last?.content);
    if (said.includes("break")) return void response.writeHead(400).end('{"error":{"message":"broken on purpose"}}');
    response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (fields: object): void => void response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`);
    if (said.includes("think")) {
      const deltas = [
        { role: "assistant", reasoning_content: "Hm, " },
        { reasoning_content: "well." },
        { content: "So" },
      ];
      return deltas.forEach((delta) => send({ choices: [{ index: 0, delta, finish_reason: null }] }));
    }
    const isDone = last?.role === "tool";
    const deltas =
      isDone || said.includes("long")
        ? [{ role: "assistant", content: `It is ${textOf(last)}.` }]
        : wantsTool(nameIn(tools));
    for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] });
    const finish = said.includes("long") ? "length" : isDone ? "stop" : "tool_calls";
    send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    send({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

const head = { id: "c", object: "chat.completion.chunk", created: 1, model: "loopback" };

function nameIn(tools: readonly unknown[] = []): string | undefined {
  return (tools[0] as { readonly function?: { readonly name?: string } } | undefined)?.function?.name;
}

/** Some clients send texts as lists of parts. */
function textOf(message: RequestMessage | undefined): string {
  const { content } = message ?? {};
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? "").join("") : "";
}
