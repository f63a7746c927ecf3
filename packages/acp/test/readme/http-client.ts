import { dialAcp } from "@editwire/acp";

const agent = await dialAcp(process.argv[2] ?? "http://127.0.0.1:9000", { paths: "spec", token: "s3cret" });
const session = await agent.newSession({ cwd: "/work/project" });

for await (const event of session.prompt("Hello")) if (event.type === "text") console.log(event.text);
await agent.close();
