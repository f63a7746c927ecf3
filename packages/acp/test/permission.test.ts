import { expect, it } from "vitest";
import { outcomeOf } from "../src/index.js";

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
