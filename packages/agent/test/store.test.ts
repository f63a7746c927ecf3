import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acpPair } from "@editwire/acp/testing";
import { fileSessionStore } from "@editwire/session/node";
import { ecaPair } from "@editwire/eca/testing";
import { ecaProfiles } from "@editwire/eca";
import { afterEach, expect, it } from "vitest";
import { type AgentEvent, createAgent, toAcp, toEca } from "../src/index.js";
import { scripted } from "./scripted-agent.js";

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

it("keeps what the user adds to a turn as soon as the agent takes it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  let taken = (): void => {};
  const isTaken = new Promise<void>((resolve) => (taken = resolve));
  const store = fileSessionStore<AgentEvent>(folder);
  const agent = createAgent({
    store,
    onError: () => {}, // the test takes the session over
    async prompt(turn) {
      turn.onSteer(() => {
        turn.takeSteers();
        taken();
      });
      await turn.text("Before. ");
      await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
    },
  });
  const session = await agent.newSession({ cwd: "/p" });
  const running = session.prompt("first");
  await expect.poll(() => session.events.map(({ type }) => type)).toEqual(["user", "text"]);
  expect(session.steer("second")).toBe(true);
  await isTaken;
  const users = async (): Promise<number> => {
    const kept = await (await store.open({ sessionId: session.id, caller: undefined }))?.entries();
    return (kept ?? []).filter(({ type }) => type === "user").length;
  };
  await expect.poll(users).toBe(2);
  session.cancel();
  expect(await running).toEqual({ stopReason: "cancelled" });
});

it("keeps a turn while it runs, for when the process is killed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const agentOf = () =>
    createAgent({
      store: fileSessionStore<AgentEvent>(folder),
      onError: () => {}, // the second process takes the session over
      async prompt(turn) {
        await turn.text("Looking. ");
        const search = await turn.toolCall({ title: "Search", kind: "search" });
        await search.complete({ output: "found" });
        await turn.text("Editing.");
        await turn.toolCall({ title: "Edit", kind: "edit" });
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    });
  const session = await agentOf().newSession({ cwd: "/p" });
  const running = session.prompt("go");
  const loaded = async () => {
    const { events = [] } = (await agentOf().loadSession(session.id)) ?? {}; // as in a new process
    return events.map((event) => {
      if (event.type === "tool_call") return [event.toolCall.title, event.toolCall.status];
      return event.type === "text" ? event.text : event.type;
    });
  };
  const inFiles = async (): Promise<string> => {
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = files
      .filter((file) => file.isFile())
      .map((file) => readFile(join(file.parentPath, file.name), "utf8"));
    return (await Promise.all(texts)).join("");
  };
  await expect.poll(inFiles).toContain('"Edit"');
  // The process that opens the session takes it over: the one that runs the turn keeps no more of it.
  expect(await loaded()).toEqual(["user", "Looking. ", ["Search", "completed"], "Editing.", ["Edit", "failed"]]);
  session.cancel();
  await running;
});

it("keeps sessions in files, for another process and another protocol", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const agentOf = () => createAgent({ ...scripted, store: fileSessionStore<AgentEvent>(folder) });

  const acp = await acpPair(toAcp(agentOf()), { client: { permission: async () => "allow_once" } });
  cleanups.push(() => acp.client.close());
  const first = await acp.client.newSession({ cwd: "/p" });
  const { id } = first;
  await first.prompt("say edit").stopReason;

  const later = agentOf(); // as in a new process
  expect(await later.listSessions()).toMatchObject([{ sessionId: id, cwd: "/p", title: "say edit" }]);
  const profile = ecaProfiles.v2026;
  const eca = await ecaPair(toEca(later), { client: { profile }, server: { profile } });
  cleanups.push(() => eca.client.close());
  const session = await eca.client.loadSession({ sessionId: id });
  expect(session?.state.entries).toMatchObject([
    { type: "message", role: "user", text: "say edit\n" },
    { type: "message", role: "assistant", text: "Looking around." },
    { type: "tool_call", toolCall: { title: "Edit a.ts", status: "completed" } },
    { type: "message", role: "assistant", text: "Edited." },
  ]);
  await session?.prompt("say").stopReason;
  expect(later.session(id)?.cwd).toBe("/p");
  const third = await agentOf().loadSession(id);
  expect(third?.events.filter(({ type }) => type === "user")).toHaveLength(2);
  await session?.delete();
  expect(await agentOf().listSessions()).toEqual([]);
});

it("adds to what the session has cost before, in another process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  cleanups.push(() => rm(folder, { recursive: true }));
  const agentOf = () =>
    createAgent({
      store: fileSessionStore<AgentEvent>(folder),
      prompt: async (turn) =>
        turn.usage({ context: { used: 1, size: 9 }, cost: { amount: 0.5, currency: "USD" } }) ?? undefined,
    });
  const acpClient = async () => {
    const { client } = await acpPair(toAcp(agentOf()));
    cleanups.push(() => client.close());
    return client;
  };
  const { id } = await (await acpClient()).newSession({ cwd: "/p" }).then(async (session) => {
    await session.prompt("go").stopReason;
    return session;
  });
  const loaded = await (await acpClient()).loadSession({ sessionId: id, cwd: "/p" });
  await expect.poll(() => loaded.state.usage?.cost).toEqual({ amount: 0.5, currency: "USD" });
  await loaded.prompt("go").stopReason;
  expect(loaded.state.usage?.cost).toEqual({ amount: 1, currency: "USD" });

  const profile = ecaProfiles.v2026;
  const { client } = await ecaPair(toEca(agentOf()), { client: { profile }, server: { profile } });
  cleanups.push(() => client.close());
  const chat = await client.loadSession({ sessionId: id });
  await chat?.prompt("go").stopReason;
  expect(chat?.state.usage?.sessionCost).toBe("1.50");
});
