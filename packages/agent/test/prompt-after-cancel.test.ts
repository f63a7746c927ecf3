// A cancelled turn is over for its editor before the handler of the agent has returned.
import { ecaPair } from "@editwire/eca/testing";
import { kaiakPair } from "@editwire/kaiak/testing";
import { expect, it, onTestFinished } from "vitest";
import { createAgent, toEca, toKaiak } from "../src/index.js";

/** An agent whose first turn ignores the cancel until `release` is called. */
function slowToCancel() {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let turns = 0;
  const agent = createAgent({
    async prompt(turn) {
      turns += 1;
      await turn.text(`Turn ${turns}.`);
      if (turns === 1) await released;
      for (const { text } of turn.takeSteers()) await turn.text(`And ${text}.`);
    },
    cancelGraceMs: 60_000,
    onError: () => {},
  });
  return { agent, release };
}

it("runs a Kaiak client's next run when the handler of the cancelled one has returned", async () => {
  const { agent, release } = slowToCancel();
  const configuration = { workspace: { working_dir: "/p" } };
  const { client } = await kaiakPair(toKaiak(agent), { server: { configuration, cancelGraceMs: 10 } });
  onTestFinished(() => client.close());
  const session = client.newSession();
  const incidents = [{ id: "1", rule_id: "r", message: "m" }];
  const first = session.prompt(incidents);
  for await (const event of first) if (event.type === "text") void first.cancel();
  expect(await first.stopReason).toBe("cancelled");
  const texts: string[] = [];
  const second = session.prompt(incidents);
  release();
  for await (const event of second) if (event.type === "text") texts.push(event.text);
  expect(await second.stopReason).toBe("end_turn");
  expect(texts.join("")).toBe("Turn 2.");
});

it("runs an ECA editor's next prompt when the handler of the cancelled one has returned", async () => {
  const { agent, release } = slowToCancel();
  const { client } = await ecaPair(toEca(agent), { client: { workspaceFolders: [] }, server: { cancelGraceMs: 10 } });
  onTestFinished(() => client.close());
  const session = client.newSession();
  const first = session.prompt("go");
  for await (const event of first) if (event.type === "text") void first.cancel();
  expect(await first.stopReason).toBe("cancelled");
  const shown: unknown[] = [];
  const second = session.prompt("go");
  release();
  for await (const event of second) shown.push("text" in event ? event.text : event.type);
  expect(await second.stopReason).toBe("end_turn");
  expect(shown).toEqual(["go\n", "Waiting model", "Turn 2.", "stop"]); // and not that the first one has ended
});

it.each(["reject", "steer"] as const)(
  "lets one prompt wait for the end of a cancelled turn, where a prompt to a busy agent leads to %s",
  async (whenBusy) => {
    const { agent, release } = slowToCancel();
    const session = await agent.newSession({ cwd: "/p" });
    const first = session.prompt("one");
    session.cancel();
    const second = session.prompt("two", { whenBusy });
    const third = session.prompt("three", { whenBusy: "reject" });
    await expect(third).rejects.toMatchObject({ code: -32_600 });
    release();
    expect(await first).toEqual({ stopReason: "cancelled" });
    expect(await second).toEqual({ stopReason: "end_turn" });
    const texts = session.events.flatMap((event) => (event.type === "text" ? [event.text] : []));
    expect(texts.join(" ")).toMatch(/^(Turn 1. )?Turn [12]\.$/);
  },
);
