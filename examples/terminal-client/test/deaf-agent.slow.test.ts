import { expect, onTestFinished, test } from "vitest";
import { programs } from "./programs.js";
import { runProgram } from "./run-program.js";

/** An agent that begins its turns and ends none, as one that was stopped. */
const deaf = `
  const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const content = { type: "text", text: "Begun." };
  const update = { sessionUpdate: "agent_message_chunk", content };
  const take = (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") send({ id, result: { protocolVersion: 1, agentCapabilities: {} } });
    if (method === "session/new") send({ id, result: { sessionId: "s" } });
    if (method === "session/prompt") send({ method: "session/update", params: { sessionId: "s", update } });
  };
  process.stdin.setEncoding("utf8").on("data", (text) => text.split("\\n").filter(Boolean).forEach(take));
`;

test("an agent that does not end a cancelled turn is reported at its end", async () => {
  const program = runProgram([...programs.client, "--", process.execPath, "--eval", deaf]);
  onTestFinished(() => program.kill("SIGKILL"));
  program.type("one\n");
  await program.shows("Begun.");
  program.type("/cancel\n");
  await program.shows("! The agent has not ended the cancelled turn; it may not answer the next prompt\n");
  program.kill("SIGTERM");
  expect(await program.ended).toBe(143);
});
