import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connectWebSocket, webSocketUpgrader } from "@editwire/transport/node";

const sockets = webSocketUpgrader(
  (transport) =>
    transport.start({
      message: (value) => transport.send(JSON.stringify({ echo: value })),
      malformed: (error) => console.error(error.message),
      closed: (reason) => console.log(`server: ${reason.message}`),
    }),
  { path: "/sync", token: "s3cret" },
);
const server = createServer((_request, response) => response.end("the product's own pages"));
server.on("upgrade", (request, socket, head) => {
  if (!sockets.upgrade(request, socket, head)) socket.destroy(); // another path
});
await once(server.listen(0, "127.0.0.1"), "listening");

const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/sync`;
const client = await connectWebSocket(url, { headers: { authorization: "Bearer s3cret" } });
client.start({
  message(value) {
    console.log(value);
    void client.close();
  },
  malformed: (error) => console.error(error.message),
  closed(reason) {
    console.log(`client: ${reason.message}`);
    server.close();
  },
});
client.send(JSON.stringify({ hello: "server" }));
