import { zedAgent } from "@editwire/helix-zed/node";

const [url = "ws://127.0.0.1:8080"] = process.argv.slice(2);
const agent = zedAgent(
  {
    async prompt(turn) {
      await turn.append("Hello! How can I");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await turn.append(` help you today? You said: ${turn.message}`);
    },
  },
  { url, sessionId: "ses_1", token: "s3cret" },
);
process.once("SIGTERM", () => void agent.close());
