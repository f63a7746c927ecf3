import { listenAcp } from "@editwire/acp/node";

const users = new Map([
  ["Bearer token-of-ada", "ada"],
  ["Bearer token-of-bob", "bob"],
]);

const listener = await listenAcp(
  { prompt: async (turn) => void turn.text(`Hello, ${turn.session.caller}`) },
  {
    port: Number(process.argv[2] ?? 9000),
    authenticate: ({ headers }) => users.get(headers.get("authorization") ?? ""),
    onDiagnostic: ({ message }) => console.error(message), // who is refused, and why
  },
);
console.log(`serving ACP at ${listener.url}`);
