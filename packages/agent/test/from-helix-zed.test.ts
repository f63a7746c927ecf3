import { type HelixZedAgent, helixZedProfiles, RemoteError } from "@editwire/helix-zed";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, fromHelixZed } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const profile = helixZedProfiles.v2026;

function open(agent: HelixZedAgent) {
  const pair = helixZedPair(agent, { host: { profile }, agent: { profile, flushMs: 0, onError: () => {} } });
  const far = fromHelixZed(pair.host, { agent: "ses_1", onError: () => {} });
  cleanups.push(() => far.close().then(() => pair.close()));
  return { far, host: pair.host };
}

const said = async (agent: Agent, sessionId: string) => (await agent.loadSession(sessionId))?.events;

describe("fromHelixZed", () => {
  it("says what is new of messages that grow, with its calls, its usage and its title", async () => {
    const { far } = open({
      async prompt(turn) {
        await turn.text("Looking");
        await turn.text(" around.");
        const call = turn.toolCall({ title: "Read" });
        await call.complete("12 lines");
        await turn.text("Done.");
        turn.usage({ input_tokens: 3, output_tokens: 1 });
        turn.title("The title");
      },
    });
    const session = await far.newSession({ cwd: "/p" });
    expect(await session.prompt("go")).toEqual({ stopReason: "end_turn" });
    expect(session.events).toMatchObject([
      { type: "user" },
      { type: "text", text: "Looking around." },
      { type: "tool_call", toolCall: { title: "Read", status: "completed", contents: [{ text: "12 lines" }] } },
      { type: "text", text: "Done." },
    ]);
    expect(session.usage).toEqual({ inputTokens: 3, outputTokens: 1 });
    await expect.poll(() => session.title).toBe("The title");
  });

  it("lists, loads and deletes the sessions of the host", async () => {
    const { far, host } = open({ prompt: (turn) => turn.text(`You said: ${turn.promptText}`) });
    const before = await host.session("old", { agent: "ses_1" });
    await before.prompt("hello").stopReason;
    await (await host.session("foreign", { agent: "another" })).rename("Not ours");
    expect((await far.listSessions()).map(({ sessionId }) => sessionId)).toEqual(["old"]);
    expect(await said(far, "old")).toMatchObject([
      { type: "user", content: [{ text: "hello" }] },
      { type: "text", text: "You said: hello\n\n" },
    ]);
    expect(await said(far, "foreign")).toBeUndefined();
    expect(await far.session("old")?.prompt("again")).toEqual({ stopReason: "end_turn" });
    await far.deleteSession("old");
    expect((await host.listSessions()).map(({ id }) => id)).toEqual(["foreign"]);
  });

  it("fails with the agent's words, and cancels", async () => {
    const { far } = open({
      async prompt(turn) {
        if (turn.promptText === "fail") throw new RemoteError(-32_000, "Out of tokens");
        await turn.text("Waiting");
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    });
    const session = await far.newSession({ cwd: "/p" });
    expect(await session.prompt("fail")).toMatchObject({ stopReason: "error", error: { message: "Out of tokens" } });
    const running = session.prompt("wait", {
      view: { name: "view", event: (event) => void (event.type === "text" && session.cancel()) },
    });
    expect(await running).toEqual({ stopReason: "cancelled" });
  });
});
