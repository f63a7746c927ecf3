import { type HelixZedProfile, helixZedProfiles } from "@editwire/helix-zed";
import { listenHelixZed } from "@editwire/helix-zed/node";
import { describe, expect, it, onTestFinished } from "vitest";
import { dialRaw, type RawSocket } from "../../transport/test/raw-socket.js";
import { type AgentEvent, fromHelixZed } from "../src/index.js";

const path = "/api/v1/external-agents/sync?session_id=zed";

/** A gateway to an agent of raw sockets, and what its editor sees. */
async function gateway(profile: HelixZedProfile) {
  const host = await listenHelixZed({ profile, token: "t", onError: () => {} });
  const far = fromHelixZed(host, { agent: "zed", cancelGraceMs: 200, onError: () => {} });
  onTestFinished(() => far.close().then(() => host.close()));
  const session = await far.newSession({ cwd: "/p" });
  const seen: string[] = [];
  const view = { name: "editor", event: (event: AgentEvent) => void seen.push(lineOf(event)) };
  return {
    host,
    session,
    seen,
    prompt: (text: string) => session.prompt(text, { view }),
    async dial(): Promise<RawSocket> {
      const agent = await dialRaw(`${host.url}${path}`, { authorization: "Bearer t" });
      agent.send({ event_type: "agent_ready", data: { agent_name: "zed", thread_id: null } });
      return agent;
    },
    sees: (text: string) => expect.poll(() => seen).toContainEqual(expect.stringContaining(text)),
  };
}

function lineOf(event: AgentEvent): string {
  if (event.type === "text") return event.text;
  return event.type === "notice" ? `${event.notice.severity}: ${event.notice.text}` : event.type;
}

/** Begins an answer, and resolves with the id of its request. */
async function begin(agent: RawSocket): Promise<string> {
  const { data } = await agent.next("chat_message");
  const [session_id, request_id] = [String(data["helix_session_id"]), String(data["request_id"])];
  agent.send({
    session_id,
    event_type: "thread_created",
    data: { acp_thread_id: "t", helix_session_id: session_id, request_id },
  });
  const message = { acp_thread_id: "t", message_id: "m", role: "assistant", content: "Half", timestamp: 1_759_410_084 };
  agent.send({ session_id, event_type: "message_added", data: message });
  return request_id;
}

describe.each([
  ["spec", helixZedProfiles.spec],
  ["v2026", helixZedProfiles.v2026],
] as const)("an agent of Helix-Zed (%s) behind a gateway", (_name, profile) => {
  it("that dies in mid-turn: the editor sees it, cancels at once, and the next prompt says why it waits", async () => {
    const { session, prompt, dial, sees } = await gateway(profile);
    const agent = await dial();
    const turn = prompt("one");
    await begin(agent);
    await sees("Half");
    agent.kill();
    await sees("warning: The agent is no longer connected; the turn goes on when it dials again");
    session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" });
    const next = prompt("two");
    await sees("The agent is not connected; the prompt waits until it dials");
    const again = await dial();
    expect((await again.next("chat_message")).data["message"]).toBe("two");
    session.cancel();
    await next;
  });

  it("that comes back goes on with the turn, and the editor sees it", async () => {
    const { session, prompt, dial, sees } = await gateway(profile);
    const agent = await dial();
    const turn = prompt("one");
    const request_id = await begin(agent);
    await sees("Half");
    agent.kill();
    await sees("no longer connected");
    const again = await dial();
    await sees("info: The agent is connected again");
    await again.next("chat_message");
    const ended = { acp_thread_id: "t", message_id: "m", request_id };
    again.send({ session_id: session.id, event_type: "message_completed", data: ended });
    expect(await turn).toEqual({ stopReason: "end_turn" });
  });

  it("that is deaf to a cancel: the next prompt says what it waits for, and goes to the next agent", async () => {
    const { session, prompt, dial, sees } = await gateway(profile);
    const agent = await dial();
    const turn = prompt("one");
    await begin(agent);
    await sees("Half");
    session.cancel();
    expect(await turn).toEqual({ stopReason: "cancelled" }); // after the time that the agent has
    const next = prompt("two");
    await sees("warning: The agent has not ended an earlier prompt; this one waits for that");
    agent.kill();
    await sees("no longer connected");
    const again = await dial();
    expect((await again.next("chat_message")).data["message"]).toBe("two");
    session.cancel();
    await next;
  });
});
