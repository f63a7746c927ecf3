import { acpProfiles, type AcpPermissionDecision } from "../src/index.js";
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
