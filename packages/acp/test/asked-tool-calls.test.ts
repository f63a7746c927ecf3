import { acpPair } from "@editwire/acp/testing";
import { describe, expect, it } from "vitest";
import type { AcpClientOptions, AcpSession, AcpToolCallState, AcpUpdateEvent } from "../src/index.js";

const yes = { optionId: "y", name: "Yes", kind: "allow_once" } as const;
const no = { optionId: "n", name: "No", kind: "reject_once" } as const;
const asked = { toolCallId: "c", title: "Edit a.ts", kind: "edit", status: "pending" } as const;

/** As gemini does, this agent announces a call only by asking for it, and says nothing of one that it may not run. */
async function open(permission: AcpClientOptions["permission"], onUpdate?: AcpClientOptions["onUpdate"]) {
  const { client } = await acpPair(
    {
      async prompt({ session, signal, promptText }) {
        if (promptText === "later")
          return void setTimeout(() => void session.requestPermission(asked, [yes, no], new AbortController().signal));
        const { allowed } = await session.requestPermission(asked, [yes, no], signal);
        if (allowed) await session.update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed" });
      },
    },
    { client: { permission, ...(onUpdate && { onUpdate }) } },
  );
  return client.newSession({ cwd: "/p" });
}

async function callsIn(events: AsyncIterable<{ readonly type: string }>): Promise<AcpToolCallState[]> {
  const calls: AcpToolCallState[] = [];
  for await (const event of events)
    if (event.type === "tool_call") calls.push((event as Extract<AcpUpdateEvent, { type: "tool_call" }>).toolCall);
  return calls;
}

const lastIn = ({ state }: AcpSession): unknown =>
  state.entries.flatMap((entry) => (entry.type === "tool_call" ? [entry.toolCall.status] : [])).at(-1);

describe("a tool call that the agent announces only by asking for a permission", () => {
  it.each([
    ["allow_once", ["waiting", "pending", "completed"]],
    ["reject_once", ["waiting", "rejected"]],
    ["cancelled", ["waiting", "cancelled"]],
  ] as const)("reaches the reader of the turn with its end, after %s", async (answer, statuses) => {
    const session = await open(async () => answer);
    const calls = await callsIn(session.prompt("go"));
    expect(calls.map(({ status }) => status)).toEqual(statuses);
    expect(calls[0]).toMatchObject({ toolCallId: "c", title: "Edit a.ts", kind: "edit" });
    expect(lastIn(session)).toBe(statuses.at(-1));
  });

  it("ends as cancelled with a cancelled turn", async () => {
    const session = await open(() => new Promise(() => {}));
    const turn = session.prompt("go");
    const stop = session.subscribe(() => lastIn(session) === "waiting" && void turn.cancel());
    const calls = await callsIn(turn);
    stop();
    expect([calls[0]?.status, calls.at(-1)?.status]).toEqual(["waiting", "cancelled"]);
    expect(lastIn(session)).toBe("cancelled");
  });

  it("reaches onUpdate outside of a turn", async () => {
    const statuses: string[] = [];
    const session = await open(
      async () => "reject_once",
      (event) => void (event.type === "tool_call" && statuses.push(event.toolCall.status)),
    );
    await session.prompt("later").stopReason;
    await expect.poll(() => statuses).toEqual(["waiting", "rejected"]);
  });
});
