import { ndjson } from "@editwire/framing";
import { stdioTransport } from "@editwire/transport/node";

const transport = stdioTransport(ndjson());
transport.start({
  // Returning what `send` returns makes a slow reader slow this process down.
  message: (value) => transport.send(JSON.stringify({ echo: value })),
  malformed: (error) => console.log(error.message), // Goes to stderr: stdout is the wire.
  closed: (reason) => console.log(reason.message),
});
