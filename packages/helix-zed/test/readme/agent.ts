import { dialHelixZed } from "@editwire/helix-zed/node";

const [url = "ws://127.0.0.1:8080"] = process.argv.slice(2);
const agent = dialHelixZed(
  {
    async prompt(turn) {
      await turn.text("Hello! How can I");
      await new Promise((resolve) => setTimeout(resolve, 200));
      await turn.text(` help you today? You said: ${turn.promptText}`);
    },
  },
  { url, sessionId: "ses_1", token: "s3cret" },
);
process.once("SIGTERM", () => void agent.close());
