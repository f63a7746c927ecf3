import { spawnKaiak } from "@editwire/kaiak/node";

const command = process.argv.slice(2);
const client = await spawnKaiak(command, { noise: "resync" });
await client.configure({ workspace: { working_dir: process.cwd() } });

const session = client.newSession();
const incident = { id: "1", rule_id: "deprecated-api", message: "javax.xml.bind.DatatypeConverter was removed" };
for await (const event of session.prompt([incident])) {
  if (event.type === "progress") console.log(`${event.progress.percentage} % ${event.progress.description}`);
  if (event.type === "file_modification") console.log(event.modification.diff);
  if (event.type === "question") await event.respond("approve");
  if (event.type === "text") console.log(event.text);
  if (event.type === "stop") console.log(event.stopReason);
}
await session.delete();
await client.close();
