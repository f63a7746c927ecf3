import { kaiakPair } from "@editwire/kaiak/testing";
import type { KaiakServer } from "@editwire/kaiak";
import { afterEach, describe, expect, it } from "vitest";
import { type Agent, type AgentEvent, fromKaiak, type KaiakGatewayOptions, type SessionView } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

function open(server: KaiakServer, options: KaiakGatewayOptions = {}): Agent {
  const agent = fromKaiak(async (handlers) => (await kaiakPair(server, { client: handlers })).client, {
    onError: () => {},
    ...options,
  });
  cleanups.push(() => agent.close());
  return agent;
}

const run = JSON.stringify([{ id: "1", rule_id: "r", message: "Gone" }]);

function viewOf(answers: Partial<SessionView> = {}): SessionView & { readonly events: AgentEvent[] } {
  const events: AgentEvent[] = [];
  return { name: "view", events, event: (event) => void events.push(event), ...answers };
}

describe("fromKaiak", () => {
  it("begins each session with its own folder, also at the same time", async () => {
    const agent = open(
      {
        prompt: async (turn) =>
          turn.text(`${turn.configuration.workspace.working_dir} ${turn.configuration.model.model}`),
      },
      { configuration: { model: { model: "small" } } },
    );
    const said = await Promise.all(
      ["/a", "/b", "/c"].map(async (cwd) => {
        const session = await agent.newSession({ cwd });
        await session.prompt(run);
        return session.events.at(-1);
      }),
    );
    expect(said).toEqual(["/a small", "/b small", "/c small"].map((text) => ({ type: "text", text })));
  });

  it("makes one incident of words, about the first file that they link", async () => {
    const received: unknown[] = [];
    const agent = open({ prompt: async ({ incidents }) => void received.push(...incidents) });
    const session = await agent.newSession({ cwd: "/a b" });
    await session.prompt([
      { type: "text", text: "Fix it" },
      { type: "resource_link", name: "a.ts", uri: "file:///a%20b/a.ts" },
    ]);
    await session.prompt('{"not": "incidents"}');
    expect(received).toEqual([
      { id: "1", rule_id: "prompt", message: "Fix it\n\n[a.ts](file:///a%20b/a.ts)", uri: "file:///a%20b/a.ts" },
      { id: "1", rule_id: "prompt", message: '{"not": "incidents"}', uri: "file:///a%20b" },
    ]);
  });

  it("reads incidents from the meta, a resource and a text, and refuses wrong ones", async () => {
    const received: unknown[] = [];
    const agent = open({
      prompt: async ({ incidents, migrationContext }) => void received.push(incidents[0]?.message, migrationContext),
    });
    const session = await agent.newSession({ cwd: "/a" });
    const incidents = [{ id: "1", rule_id: "r", message: "Gone" }];
    const migration_context = { target_technology: "Jakarta" };
    const text = JSON.stringify({ incidents, migration_context });
    await session.prompt("Fix it", { meta: { "editwire/kaiak": { incidents, migration_context } } });
    await session.prompt([{ type: "resource", resource: { uri: "a:b", mimeType: "application/json", text } }]);
    await session.prompt(text);
    expect(received).toEqual([1, 2, 3].flatMap(() => ["Gone", migration_context]));
    for (const prompt of ["", "[]", '[{"id": 1}]', '{"incidents": {}}'])
      expect(await session.prompt(prompt)).toMatchObject({
        stopReason: "error",
        error: { code: -32_602, message: expect.stringContaining("prompt: expected words, or incidents") },
      });
    expect(received).toHaveLength(6);
  });

  it("asks for a tool, and puts a question of which an answer is neither yes nor no", async () => {
    const agent = open({
      async prompt(turn) {
        const call = await turn.toolCall({ name: "shell", operation: "Run tests" }, "pending");
        const permission = { type: "tool_permission", prompt: "Run tests?" } as const;
        const answer = await turn.ask({ ...permission, options: ["approve", "always_allow", "deny"] });
        await call.complete("ok");
        await turn.text(`${answer} ${await turn.ask({ ...permission, options: ["now", "later"] })}`);
      },
    });
    const session = await agent.newSession({ cwd: "/a" });
    const asked: unknown[] = [];
    const view = viewOf({
      permission: async ({ toolCall, options }) => {
        asked.push(toolCall.title, options);
        return "allow_always";
      },
      question: async ({ options }) => options[1]?.label,
    });
    expect(await session.prompt(run, { view })).toEqual({ stopReason: "end_turn" });
    expect(asked).toEqual([
      "Run tests",
      [
        { optionId: "approve", name: "approve", kind: "allow_once" },
        { optionId: "always_allow", name: "always_allow", kind: "allow_always" },
        { optionId: "deny", name: "deny", kind: "reject_once" },
      ],
    ]);
    expect(view.events).toContainEqual({ type: "text", text: "always_allow later" });
    expect(view.events.filter(({ type }) => type === "tool_call").at(-1)).toMatchObject({
      toolCall: { name: "shell", title: "Run tests", status: "completed", output: "ok" },
    });
  });

  it("shows each hunk of a change as a diff, and another text as it is", async () => {
    const diff = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -9,1 +9,1 @@\n-x\n+y\n";
    const agent = open({
      async prompt(turn) {
        await turn.fileModification({ file_path: "a.ts", operation: "modify", diff });
        await turn.fileModification({ file_path: "/b.ts", operation: "delete", diff: "gone" });
      },
    });
    const session = await agent.newSession({ cwd: "/p" });
    await session.prompt(run);
    expect(session.events.filter(({ type }) => type === "tool_call")).toMatchObject([
      {
        toolCall: {
          title: "Modify a.ts",
          kind: "edit",
          status: "completed",
          contents: [
            { type: "diff", path: "/p/a.ts", oldText: "a\nb\n", newText: "a\nc\n" },
            { type: "diff", path: "/p/a.ts", oldText: "x\n", newText: "y\n" },
          ],
        },
      },
      { toolCall: { title: "Delete /b.ts", kind: "delete", contents: [{ type: "text", text: "gone" }] } },
    ]);
  });

  it("deletes the server's session, if a run has begun it", async () => {
    const deleted: string[] = [];
    const agent = open({ prompt: async () => {}, deleteSession: ({ id }) => void deleted.push(id) });
    const [used, unused] = [await agent.newSession({ cwd: "/a" }), await agent.newSession({ cwd: "/a" })];
    await used.prompt(run);
    await agent.deleteSession(unused.id);
    expect(deleted).toEqual([]);
    await agent.deleteSession(used.id);
    expect(deleted).toHaveLength(1);
  });
});
