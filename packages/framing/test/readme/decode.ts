import { contentLength } from "@editwire/framing";

const framer = contentLength({ noise: "resync" }).open({ maxMessageBytes: 1024 * 1024 });

process.stdin.on("data", (chunk) => {
  framer.push(chunk);
  for (let frame = framer.next(); frame !== undefined; frame = framer.next()) {
    if (!frame.ok) console.error(frame.error.message, frame.error.data);
    else process.stdout.write(framer.encode(JSON.stringify({ received: frame.value })));
  }
});
