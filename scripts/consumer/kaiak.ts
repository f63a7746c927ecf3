// A client and a server in memory: one run with a question.
import { deepStrictEqual } from "node:assert";
import { connectKaiak, serveKaiak } from "@editwire/kaiak";
import { memoryPair } from "@editwire/transport";

async function main(): Promise<void> {
  const [here, there] = memoryPair();
  serveKaiak(there, {
    async prompt(turn) {
      const answer = await turn.ask({ prompt: "Apply?", options: ["approve", "deny"] });
      await turn.text(`answer: ${answer}`);
    },
  });
  const client = await connectKaiak(here);
  await client.configure({ workspace: { working_dir: "/" } });
  const seen: string[] = [];
  const incident = { id: "1", rule_id: "r", message: "m" };
  for await (const event of client.newSession().prompt([incident])) {
    if (event.type === "question") await event.respond("approve");
    else if (event.type === "text") seen.push(event.text);
    else if (event.type === "stop") seen.push(event.stopReason);
  }
  deepStrictEqual(seen, ["answer: approve", "end_turn"]);
  await client.close();
}

void main();
