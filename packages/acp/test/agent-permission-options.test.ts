import { acpProfiles } from "../src/index.js";
import type { AcpPermissionDecision } from "../src/agent/session-client.js";
import { acpPair } from "../src/testing.js";
import { expect, it } from "vitest";

const options = [
  { optionId: "y", name: "Yes", kind: "allow_once" },
  { optionId: "always", name: "Always", kind: "allow_always" },
  { optionId: "n", name: "No", kind: "reject_once" },
] as const;

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

it.each([
  ["spec", ["allow_once", "reject_once"], ["options-not-offered"]],
  ["v1", ["y", "always", "n"], []],
] as const)("in %s, the user is offered %j, and the agent gets its own option", async (name, offered, reported) => {
  const profile = acpProfiles[name];
  const ids: string[] = [];
  const seen: string[] = [];
  let decision: AcpPermissionDecision | undefined;
  const { client } = await acpPair(
    {
      async prompt(turn) {
        const call = await turn.toolCall({ title: "Edit" });
        decision = await turn.requestPermission(call, options);
      },
    },
    {
      client: {
        profile,
        async permission({ options: shown }) {
          seen.push(...shown.map(({ optionId }) => optionId));
          return "allow_once";
        },
      },
      agent: { profile, onDiagnostic: ({ id }) => void ids.push(id) },
    },
  );
  const session = await client.newSession({ cwd: "/p" });
  await drain(session.prompt("go"));
  expect(seen).toEqual(offered);
  expect(decision).toMatchObject({ outcome: "selected", optionId: "y", kind: "allow_once", allowed: true });
  expect(ids).toEqual(reported);
});

it("in spec, several options of one kind are offered by their names, with their own ids", async () => {
  const profile = acpProfiles.spec;
  const several = [...options, { optionId: "folder", name: "Yes, the folder", kind: "allow_once" }] as const;
  const seen: string[] = [];
  let decision: AcpPermissionDecision | undefined;
  const { client } = await acpPair(
    {
      async prompt(turn) {
        decision = await turn.requestPermission(await turn.toolCall({ title: "Edit" }), several);
      },
    },
    {
      client: {
        profile,
        async permission({ options: shown }) {
          seen.push(...shown.map(({ name }) => name));
          return { optionId: "folder" };
        },
      },
      agent: { profile },
    },
  );
  const session = await client.newSession({ cwd: "/p" });
  await drain(session.prompt("go"));
  expect(seen).toEqual(["Yes", "Always", "No", "Yes, the folder"]);
  expect(decision).toMatchObject({ optionId: "folder", kind: "allow_once", allowed: true });
});
