import { type AgentHandle, AgentFactory, type ExtendedSessionUpdate, type PermissionMode } from "acp-factory";
import { afterEach, expect, it } from "vitest";
import { commands } from "./commands.js";

const [command, ...args] = commands.agent;
AgentFactory.register("editwire", { command, args });

let agent: AgentHandle | undefined;
afterEach(() => agent?.close());

/** Runs one prompt through acp-factory and gives the updates that its session yields. */
async function run(prompt: string, permissionMode: PermissionMode = "auto-approve"): Promise<ExtendedSessionUpdate[]> {
  agent = await AgentFactory.spawn("editwire", { permissionMode });
  const session = await agent.createSession(process.cwd());
  const updates: ExtendedSessionUpdate[] = [];
  for await (const update of session.prompt(prompt)) updates.push(update);
  return updates;
}

it("acp-factory prompts our agent and reads its answer", async () => {
  expect(await run("Hello from acp-factory")).toEqual([
    { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Hello from acp-factory" } },
  ]);
});

const content = [{ type: "content", content: { type: "text", text: "line one" } }];

// Its iteration may end before the last updates of a turn were handled, so the agent asks once more after the one that
// counts.
it.each([
  ["auto-approve", { status: "completed", content }],
  ["auto-deny", { status: "failed" }],
] as const)("acp-factory with %s decides about our agent's tool call, and shows its output", async (mode, end) => {
  const updates = await run("output, asked", mode);
  expect(updates.slice(0, 2)).toMatchObject([
    { sessionUpdate: "tool_call", title: "Read a.txt", kind: "read", status: "in_progress" },
    { sessionUpdate: "tool_call_update", ...end },
  ]);
});
