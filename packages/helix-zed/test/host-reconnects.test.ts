import { describe, expect, it } from "vitest";
import { responseOf } from "../src/index.js";
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
});
