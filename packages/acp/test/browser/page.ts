// Connects to the agent at the URL in the fragment, with the token `s3cret`, and shows its answer or the error.
import { dialAcpWebSocket } from "../../src/index.js";

async function run(): Promise<string> {
  const agent = await dialAcpWebSocket(location.hash.slice(1), { token: "s3cret" });
  const session = await agent.newSession({ cwd: "/work/project" });
  let text = "";
  for await (const event of session.prompt("Hello")) text += event.type === "text" ? event.text : "";
  await agent.close();
  return text;
}

const output = document.createElement("output");
output.textContent = await run().catch(String);
document.body.append(output);
