// Connects to the agent at the URL in the fragment, with the token `s3cret`, and shows its answer or the error.
import { dialAcp } from "../../src/index.js";

async function run(): Promise<string> {
  const agent = await dialAcp(location.hash.slice(1).replace("http", "ws"), { token: "s3cret" });
  const session = await agent.newSession({ cwd: "/work/project" });
  let text = "";
  for await (const event of session.prompt("Hello")) text += event.type === "text" ? event.text : "";
  await agent.close();
  return text;
}

const output = document.createElement("output");
output.textContent = await run().catch(String);
document.body.append(output);
