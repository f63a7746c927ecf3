import { helixZedProfiles } from "@editwire/helix-zed-schema";
import { describe, expect, it } from "vitest";
import { memoryStore, responseOf } from "../src/index.js";
import { syncPath } from "../src/node.js";
import { dialRaw, type RawSocket } from "../../transport/test/raw-socket.js";
import { readAll, says, startHost, type TestHost } from "./support/hosts.js";

const ready = says.event("agent_ready", { agent_name: "zed", thread_id: null });
const dialects = [
  ["spec", helixZedProfiles.spec],
  ["v2026", helixZedProfiles.v2026],
] as const;

const refusals = [
  ["chat_response_error", {}],
  ["thread_load_error", { acp_thread_id: "t" }],
] as const;

/** Connects as an agent that takes messages at once. */
async function agentOf({ dial }: TestHost): Promise<RawSocket> {
  const agent = await dial();
  agent.send(ready);
  return agent;
}

/** An agent whose socket drops in the turn, and that gets the message again on its next one. */
async function copied(started: TestHost) {
  const session = await started.host.session("ses_1");
  const turn = session.prompt("work");
  const first = await agentOf(started);
  await first.next("chat_message");
  first.send(says.created("t"));
  first.send(says.added("t", "half"));
  await first.settled();
  const gone = started.event("disconnected");
  first.kill();
  await gone;
  const agent = await agentOf(started);
  expect((await agent.next("chat_message")).data["request_id"]).toBe(turn.requestId);
  const refuse = (name = "chat_response_error", extra: object = {}): void =>
    agent.send(says.event(name, { request_id: turn.requestId, error: "a turn is running", ...extra }));
  return { session, turn, agent, refuse };
}

describe.each(dialects)("a refused copy of a message (%s)", (_name, profile) => {
  it.each(refusals)("%s does not end the turn that goes on", async (name, extra) => {
    const started = await startHost({ profile });
    const { session, turn, agent, refuse } = await copied(started);
    refuse(name, extra);
    await agent.settled();
    expect(session.state.running).toBe(true);
    agent.send(says.added("t", "half and the rest"));
    agent.send(says.completed("t", turn.requestId));
    const interaction = await turn.interaction;
    expect(interaction.state).toBe("complete");
    expect(interaction).not.toHaveProperty("error");
    expect(responseOf(interaction)).toBe("half and the rest");
    expect(started.oddities).toContain("refused-copy");
  });

  it("keeps what the earlier connection brought, whether the stream or the refusal is first", async () => {
    for (const isStreamFirst of [true, false]) {
      const { turn, agent, refuse } = await copied(await startHost({ profile }));
      if (!isStreamFirst) refuse();
      agent.send(says.added("t", "the rest", "m2"));
      if (isStreamFirst) refuse();
      agent.send(says.added("t", "the rest, whole", "m2"));
      agent.send(says.completed("t", turn.requestId));
      expect(responseOf(await turn.interaction)).toBe("half\n\nthe rest, whole");
    }
  });

  it("a second error is that of the turn", async () => {
    const { turn, agent, refuse } = await copied(await startHost({ profile }));
    refuse();
    agent.send(says.added("t", "half and more"));
    agent.send(says.event("chat_response_error", { request_id: turn.requestId, error: "the model failed" }));
    expect(await turn.interaction).toMatchObject({ state: "error", error: "the model failed" });
  });

  it("silence after it ends the turn with the agent's text", async () => {
    const { turn, refuse } = await copied(await startHost({ profile, refusedCopyMs: 20 }));
    refuse();
    const { end } = await readAll(turn);
    expect(end).toMatchObject({ state: "error", error: "a turn is running" });
    expect(responseOf(end)).toBe("half");
  });

  it("a thread that the agent no longer has ends the turn at once", async () => {
    const { turn, refuse } = await copied(await startHost({ profile }));
    refuse("thread_load_error", { acp_thread_id: "t", error: "no such thread" });
    expect(await turn.interaction).toMatchObject({ state: "error", error: "no such thread" });
  });

  it("a host that was restarted in the turn follows it, too", async () => {
    const store = memoryStore();
    const before = await startHost({ profile, store });
    const { turn: lost } = await copied(before);
    await before.host.close();
    await expect(lost.interaction).rejects.toThrow("the host is closed");
    const started = await startHost({ profile, store });
    const agent = await agentOf(started);
    const { request_id } = (await agent.next("chat_message")).data;
    agent.send(says.event("chat_response_error", { request_id, error: "a turn is running" }));
    agent.send(says.added("t", "half and the rest"));
    agent.send(says.completed("t", request_id));
    const session = await started.host.session("ses_1");
    expect(responseOf(await session.watch(lost.requestId).interaction)).toBe("half and the rest");
  });
});

it("a turn whose copy was refused is over when the agent has nothing to cancel", async () => {
  const { turn, agent, refuse } = await copied(await startHost({ profile: helixZedProfiles.v2026 }));
  refuse();
  await agent.settled();
  await turn.cancel();
  await agent.next("cancel_current_turn");
  agent.send(says.event("turn_cancelled", { request_id: turn.requestId, status: "noop" }));
  expect(await turn.stopReason).toBe("cancelled");
});

it("an error of an agent that names its process is that of the turn: it knows a copy", async () => {
  const started = await startHost();
  const url = `ws://127.0.0.1:${started.port}${syncPath}?session_id=ses_1&instance=one`;
  const { turn, refuse } = await copied({ ...started, dial: () => dialRaw(url) });
  refuse();
  expect(await turn.interaction).toMatchObject({ state: "error", error: "a turn is running" });
});
