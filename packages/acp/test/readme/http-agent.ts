import { listenAcp } from "@editwire/acp/node";

const listener = await listenAcp(
  {
    info: { name: "my-agent", version: "1.0.0" },
    prompt: async (turn) => void turn.text(`You said: ${turn.promptText}`),
  },
  { paths: "spec", port: Number(process.argv[2] ?? 9000), token: "s3cret" },
);
console.log(`serving ACP at ${listener.url}`);
