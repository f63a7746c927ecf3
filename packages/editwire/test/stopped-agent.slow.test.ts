import { expect, it } from "vitest";
import { editorOfHelixZedAgent } from "./helix-zed-agents.js";

it.each(["spec", "v2026"])(
  "an editor can go on when its agent of Helix-Zed (%s) is stopped in mid-turn",
  async (name) => {
    const { client, agent } = await editorOfHelixZedAgent("--profile", name);
    const session = await client.newSession({ cwd: "/p" });
    const shown = (): string => JSON.stringify(session.state.entries);
    const turn = session.prompt("say wait");
    await expect.poll(shown).toContain("Looking around.");
    agent.kill("SIGSTOP");
    await turn.cancel();
    await expect(turn.stopReason).resolves.toBe("cancelled");
    const next = session.prompt("say");
    await expect.poll(shown).toContain("The agent has not ended an earlier prompt; this one waits for that");
    await expect.poll(shown, { timeout: 20_000 }).toContain("The agent is no longer connected");
    await next.cancel();
    await expect(next.stopReason).resolves.toBe("cancelled");
  },
);
