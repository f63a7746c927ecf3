import { responseOf } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { sqliteStore } from "@editwire/helix-zed/sqlite";
import Database from "libsql";

const [file = "host.db", port = "8080"] = process.argv.slice(2);
const store = sqliteStore(new Database(file));
const host = await listenHelixZed({ store, token: "s3cret", port: Number(port) });

const session = await host.session("ses_1");
for await (const event of session.prompt("Hello, can you help me?")) {
  if (event.type === "message") console.log("…", event.message.content);
  if (event.type === "stop") console.log(event.stopReason);
}
for (const { message, ...answer } of await session.interactions()) console.log(`${message} -> ${responseOf(answer)}`);
await host.close();
