import { acpPair } from "@editwire/acp/testing";
import { ecaPair } from "@editwire/eca/testing";
import { helixZedPair } from "@editwire/helix-zed/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { afterEach, describe, expect, it } from "vitest";
import { createAgent, type SessionView, toAcp, toEca, toHelixZed, toKaiak } from "../src/index.js";

const cleanups: (() => unknown)[] = [];
afterEach(() => Promise.all(cleanups.splice(0).map((cleanup) => cleanup())));

const agent = createAgent({
  async prompt(turn) {
    for (const word of ["Looking", " around."]) await turn.text(word);
    await turn.thought("Hm.");
    await turn.plan([{ content: "Fix it", status: "in_progress" }]);
    const call = await turn.toolCall({ title: "Edit a.ts", input: { path: "a.ts" } });
    await call.complete({ output: "done" });
    await turn.plan([{ content: "Fix it", status: "completed" }]);
    await turn.text("Done.");
  },
});

interface Shown {
  readonly entries: readonly { readonly entryId: string; readonly type: string }[];
}

interface Watched {
  readonly state: Shown;
  subscribe(listener: (state: Shown) => void): () => void;
}

/** The things that each id has named while a turn ran: the types of its entries, and its places. */
async function idsIn(session: Watched, turn: () => Promise<unknown>): Promise<Map<string, Set<string>>> {
  const seen = new Map<string, Set<string>>();
  const look = ({ entries }: Shown): void => {
    for (const [place, { entryId, type }] of entries.entries())
      seen.set(entryId, (seen.get(entryId) ?? new Set()).add(`${place} ${type}`));
  };
  const stop = session.subscribe(look);
  await turn();
  await turn();
  stop();
  look(session.state);
  return seen;
}

const opened: Readonly<Record<string, () => Promise<{ session: Watched; turn: () => Promise<unknown> }>>> = {
  async acp() {
    const { client } = await acpPair(toAcp(agent));
    cleanups.push(() => client.close());
    const session = await client.newSession({ cwd: "/p" });
    return { session, turn: () => session.prompt("go").stopReason };
  },
  async eca() {
    const { client } = await ecaPair(toEca(agent), { client: { workspaceFolders: [] } });
    cleanups.push(() => client.close());
    const session = client.newSession();
    return { session, turn: () => session.prompt("go").stopReason };
  },
  async kaiak() {
    const configuration = { workspace: { working_dir: "/p" } };
    const { client } = await kaiakPair(toKaiak(agent), { server: { configuration } });
    cleanups.push(() => client.close());
    const session = client.newSession();
    return { session, turn: () => session.prompt([{ id: "1", rule_id: "r", message: "m" }]).stopReason };
  },
  async "helix-zed"() {
    const pair = helixZedPair(toHelixZed(agent, { cwd: "/p" }), {});
    cleanups.push(() => pair.close());
    const session = await pair.host.session("ses_1");
    return { session, turn: () => session.prompt("go").interaction };
  },
};

describe("the entries of a session's state", () => {
  it.each(Object.keys(opened))("have ids of their own, which stay while they change, in %s", async (protocol) => {
    const { session, turn } = await (opened[protocol] as NonNullable<(typeof opened)[string]>)();
    const ids = await idsIn(session, turn);
    expect(ids.size).toBe(session.state.entries.length);
    expect(ids.size).toBeGreaterThanOrEqual(6);
    for (const [id, seen] of ids) expect([...seen], id).toHaveLength(1);
  });
});

it("gives a session a title by setTitle, as a session of @editwire/acp has it", async () => {
  const { client } = await acpPair(toAcp(agent));
  cleanups.push(() => client.close());
  const shown = await client.newSession({ cwd: "/p" });
  const session = agent.session(shown.id);
  const titles: (string | undefined)[] = [];
  const view: SessionView = {
    name: "test",
    event: (event) => void (event.type === "info" && titles.push(event.title)),
  };
  session?.attach(view);
  await session?.setTitle("Fix a.ts");
  await expect.poll(() => shown.state.title).toBe("Fix a.ts");
  expect([session?.title, titles]).toEqual(["Fix a.ts", ["Fix a.ts"]]);
  expect(() => session?.setTitle(1 as never)).toThrow("session.setTitle: expected a string, received");
});
