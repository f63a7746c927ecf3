import { listenAcpWebSocket } from "@editwire/acp/ws";

const listener = await listenAcpWebSocket(
  {
    info: { name: "my-agent", version: "1.0.0" },
    prompt: async (turn) => void turn.text(`You said: ${turn.promptText}`),
  },
  { port: Number(process.argv[2] ?? 9000), token: "s3cret", origins: ["http://localhost:5173"] },
);
console.log(`serving ACP at ${listener.url}`);
