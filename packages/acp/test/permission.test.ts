import { describe, expect, it } from "vitest";
import { outcomeOf, type PermissionOption } from "../src/index.js";
import { acpPair } from "../src/testing.js";

const always = { optionId: "a", name: "Always", kind: "allow_always" } as const;
const never = { optionId: "n", name: "Never", kind: "reject_always" } as const;

it("never widens an allow", () => {
  expect(outcomeOf("allow_once", [always, never])).toEqual({ outcome: "cancelled" });
});

it("rejects by whatever rejects", () => {
  expect(outcomeOf("reject_once", [always, never])).toEqual({ outcome: "selected", optionId: "n" });
});

it("cancels where nothing fits", () => {
  expect(outcomeOf("reject_once", [always])).toEqual({ outcome: "cancelled" });
  expect(outcomeOf("allow_once", [])).toEqual({ outcome: "cancelled" });
});

it("V38: answers with the id that was offered, whatever it is", () => {
  const offered = { optionId: "proceed", name: "Yes", kind: "allow_once" } as const;
  expect(outcomeOf("allow_once", [never, offered])).toEqual({ outcome: "selected", optionId: "proceed" });
});

describe("several options of one kind", () => {
  const option = (optionId: string, kind: PermissionOption["kind"]): PermissionOption => ({
    optionId,
    name: `Name of ${optionId}`,
    kind,
  });
  const yes = [option("y1", "allow_once"), option("y2", "allow_once")];
  const always = [option("a1", "allow_always"), option("a2", "allow_always")];
  const no = [option("n1", "reject_once"), option("n2", "reject_once")];

  it.each([
    ["allow_once", [...yes, ...no, never], undefined],
    ["reject_once", [...yes, ...no, never], undefined],
    ["allow_always", [...always, ...yes], undefined],
    ["allow_always", [...always, option("y", "allow_once")], "y"],
    ["reject_always", [never, option("m", "reject_always"), option("n", "reject_once")], "n"],
    [{ optionId: "y2" }, yes, "y2"],
  ] as const)("are not told apart by %j", (answer, options, optionId) => {
    const outcome = optionId === undefined ? { outcome: "cancelled" } : { outcome: "selected", optionId };
    expect(outcomeOf(answer, [...options])).toEqual(outcome);
  });

  it("are named to a client that answers by their kind", async () => {
    const reported: string[] = [];
    const { client } = await acpPair(
      {
        async prompt(turn) {
          const call = await turn.toolCall({ title: "Edit" });
          const { outcome } = await turn.requestPermission(call, [...yes, option("n", "reject_once")]);
          await turn.text(outcome);
        },
      },
      {
        client: {
          permission: async () => "allow_once",
          onDiagnostic: ({ id, message }) => reported.push(`${id}: ${message}`),
        },
      },
    );
    const session = await client.newSession({ cwd: "/p" });
    expect(await session.prompt("go").readText()).toBe("cancelled");
    const why =
      'the answer allow_once may mean "Name of y1" or "Name of y2", so none of them is selected; ' +
      "answer with { optionId }";
    expect(reported).toEqual([`ambiguous-answer: ${why}`]);
  });
});
