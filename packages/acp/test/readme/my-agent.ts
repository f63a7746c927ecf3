import type { AcpAgent } from "@editwire/acp";

/** Who may connect, and how long a client may be away. */
export const options = { token: "s3cret", idleMs: Number(process.env["IDLE_MS"] ?? 300_000) };

const block = "x".repeat(256 * 1024);
let sent = 0;

/**
 * An agent whose prompt says what to do: echo the text, `wait` until it is cancelled, `flood`, or count what it sent.
 */
export const agent: AcpAgent = {
  info: { name: "my-agent", version: "1.0.0" },
  async prompt(turn) {
    switch (turn.promptText) {
      case "wait":
        await turn.text("waiting");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
        return console.log("cancelled");
      case "flood":
        for (sent = 0; sent < 128; sent += 1) await turn.text(block);
        return;
      case "count":
        return turn.text(String(sent));
      default:
        return turn.text(`You said: ${turn.promptText}`);
    }
  },
};
