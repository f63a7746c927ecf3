import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/**
 * A model that thinks, greets and calls `write_file` once in every turn. Its calls are `t1`, `t2`, …, which are the ids
 * that the servers of the recordings gave, so that what an editor says of them is right as it was recorded.
 */
export async function recordedModel(): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { messages } = JSON.parse(body) as Asked;
      const chunks = messages.at(-1)?.role === "tool" ? said("Done.") : called(messages);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""),
      );
    });
  });
  onTestFinished(() => void server.close().closeAllConnections());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const choice = (delta: object, finish: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } };

function said(text: string): object[] {
  return [choice({ content: text }), choice({}, "stop"), usage];
}

function called(messages: Asked["messages"]): object[] {
  const id = `t${messages.filter(({ role }) => role === "tool").length + 1}`;
  const prompt = messages.at(-1)?.content;
  const text = Array.isArray(prompt) ? (prompt[0] as { text: string }).text : String(prompt);
  const call = {
    index: 0,
    id,
    function: { name: "write_file", arguments: JSON.stringify({ path: "hello.txt", content: `${text}\n` }) },
  };
  return [
    choice({ reasoning_content: "thinking…" }),
    choice({ content: "Hello wörld 🎉" }),
    choice({ tool_calls: [call] }),
    choice({}, "tool_calls"),
    usage,
  ];
}
