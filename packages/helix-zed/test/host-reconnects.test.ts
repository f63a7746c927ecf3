import { describe, expect, it } from "vitest";
import { helixZedProfiles, responseOf } from "../src/index.js";
import { answer, says, startHost } from "./support/hosts.js";

describe("reconnects", () => {
  it("H18: the newest connection wins, and the oldest waiting message is sent on it again, once", async () => {
    const { host, dial, events } = await startHost();
    const first = await dial();
    const session = await host.session("ses_1");
    const [one, two] = [session.prompt("one"), session.prompt("two")];
    await first.next();
    first.send(says.created("t"));
    first.send(says.added("t", "half an ans"));
    await first.settled();
    const second = await dial();
    await first.closed;
    const again = await second.next();
    expect(again.data).toMatchObject({ request_id: one.requestId, acp_thread_id: "t", message: "one" });
    await second.settled();
    expect(second.frames).toHaveLength(1);
    second.send(says.added("t", "a whole answer", "m2"));
    second.send(says.completed("t", one.requestId));
    expect((await one.interaction).state).toBe("complete");
    answer(second, await second.next(), "t", "too");
    expect(responseOf(await two.interaction)).toBe("too");
    expect(events.filter(({ type }) => type === "disconnected")).toEqual([]);
  });

  it("a message waits for an agent that is not there, and the conversation goes on when it comes back", async () => {
    const { host, dial, event } = await startHost();
    const session = await host.session("ses_1");
    const interaction = session.prompt("early");
    const agent = await dial();
    expect((await agent.next()).data["message"]).toBe("early");
    const gone = event("disconnected");
    agent.kill();
    await gone;
    expect(session.state.connected).toBe(false);
    const again = await dial();
    answer(again, await again.next(), "t", "at last");
    expect(responseOf(await interaction.interaction)).toBe("at last");
  });

  it.each(["spec", "v2026"] as const)(
    "what is cancelled while the agent is away is not sent again (%s)",
    async (name) => {
      const { host, dial, event, oddities } = await startHost({ profile: helixZedProfiles[name] });
      const session = await host.session("ses_1");
      const [one, two] = [session.prompt("one"), session.prompt("two")];
      const agent = await dial();
      agent.send(says.event("agent_ready", { agent_name: "zed", thread_id: null }));
      await agent.next("chat_message");
      agent.send(says.created("t"));
      await agent.settled();
      const gone = event("disconnected");
      agent.kill();
      await gone;
      await one.cancel();
      expect(await one.stopReason).toBe("cancelled");
      const again = await dial();
      again.send(says.event("agent_ready", { agent_name: "zed", thread_id: null }));
      const chat = await again.next("chat_message");
      expect(chat.data).toMatchObject({ request_id: two.requestId, acp_thread_id: "t" });
      const cancels = again.frames.filter(({ type }) => type === "cancel_current_turn");
      expect(cancels.map(({ data }) => data["request_id"])).toEqual(name === "v2026" ? [one.requestId] : []);
      again.send(says.completed("t", one.requestId)); // the end of a turn that outlived the connection
      answer(again, chat, "t", "the second");
      expect(responseOf(await two.interaction)).toBe("the second");
      expect(oddities).toContain("unmatched");
    },
  );

  it("a turn whose cancel got no answer is over when its agent goes", async () => {
    const { host, dial } = await startHost({ profile: helixZedProfiles.v2026 });
    const agent = await dial();
    agent.send(says.event("agent_ready", { agent_name: "zed", thread_id: null }));
    const turn = (await host.session("ses_1")).prompt("one");
    await agent.next("chat_message");
    await turn.cancel();
    await agent.next("cancel_current_turn");
    agent.kill();
    expect(await turn.stopReason).toBe("cancelled");
  });
});
