import { contentLength } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";
import { transportStreams } from "@editwire/peer/vscode-jsonrpc";
import { createMessageConnection } from "vscode-jsonrpc/node";

const { reader, writer, closed } = transportStreams(
  spawnTransport(process.argv.slice(2), contentLength({ noise: "resync" })),
  {
    onDiagnostic: ({ id, message }) => console.error(id, message),
  },
);
const connection = createMessageConnection(reader, writer);
connection.onNotification("counted", (params) => console.log("counted", params));
connection.listen();
console.log(await connection.sendRequest("count", { to: 1 }));
connection.end();
console.log((await closed).message);
