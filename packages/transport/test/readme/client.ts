import { ndjson } from "@editwire/framing";
import { spawnTransport } from "@editwire/transport/node";

const transport = spawnTransport(process.argv.slice(2), ndjson(), { onStderr: (text) => process.stderr.write(text) });
transport.start({
  message(value) {
    console.log(value);
    void transport.close();
  },
  malformed: (error) => console.error(error.message),
  closed: (reason) => console.log(reason.message),
});
await transport.send(JSON.stringify({ hello: "agent" }));
