import { createServer } from "node:http";
import { responseOf } from "@editwire/helix-zed";
import { helixServer } from "@editwire/helix-zed/node";
import { sqliteStore } from "@editwire/helix-zed/sqlite";
import Database from "libsql";

const [file = "host.db", port = "8080"] = process.argv.slice(2);
const host = helixServer({ store: sqliteStore(new Database(file)), token: "s3cret" });
const server = createServer((_request, response) => response.end("the product's own pages"));
server.on("upgrade", (request, socket, head) => host.upgrade(request, socket, head));
server.listen(Number(port), "127.0.0.1");

const session = host.session("ses_1");
const interaction = session.send("Hello, can you help me?");
for await (const event of interaction) {
  if (event.type === "message") console.log("…", event.message.content);
  else console.log(event.interaction.state);
}
for (const { message, ...answer } of await session.interactions()) console.log(`${message} -> ${responseOf(answer)}`);
await host.close();
server.close();
