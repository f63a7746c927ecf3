import { httpClientTransport } from "@editwire/transport";
import { httpServer, listenHttp } from "@editwire/transport/node";

const server = httpServer({
  rpcPath: "/rpc",
  eventsPath: "/events",
  token: "s3cret",
  onClient: (transport) =>
    transport.start({
      message: (value) => transport.send(JSON.stringify({ echo: value })),
      malformed: (error) => console.error(error.message),
      closed: (reason) => console.log(`server: ${reason.message}`),
    }),
});
const listener = await listenHttp((request) => server.fetch(request)); // on 127.0.0.1, any free port

const client = httpClientTransport({
  rpc: `${listener.url}/rpc?client_id=7`,
  events: `${listener.url}/events?client_id=7`,
  headers: { authorization: "Bearer s3cret" },
});
client.start({
  async message(value) {
    console.log(value);
    await client.close();
    await listener.close();
  },
  malformed: (error) => console.error(error.message),
  closed: (reason) => console.log(`client: ${reason.message}`),
});
client.send(JSON.stringify({ hello: "server" }));
