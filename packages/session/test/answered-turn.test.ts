import { isWireError } from "@editwire/core";
import { expect, it } from "vitest";
import { AnsweredTurn, type TurnOutcome } from "../src/index.js";

interface Setup {
  turn: AnsweredTurn;
  errors: unknown[];
  run: (handler: () => unknown, cancelGraceMs?: number) => Promise<TurnOutcome<unknown>>;
}

function setUp(): Setup {
  const turn = new AnsweredTurn("the turn of session s1");
  const errors: unknown[] = [];
  return {
    turn,
    errors,
    run: (handler, cancelGraceMs = 10_000) =>
      turn.run(handler, { cancelGraceMs, end: (outcome) => outcome, onError: (error) => errors.push(error) }),
  };
}

it("gives what the handler returns, or throws", async () => {
  expect(await setUp().run(() => 5)).toEqual({ type: "returned", result: 5 });
  const error = new Error("broken");
  expect(await setUp().run(() => Promise.reject(error))).toEqual({ type: "failed", error });
});

it("ends as cancelled whatever the handler returns or throws after a cancel", async () => {
  const { turn, errors, run } = setUp();
  const handler = (): never => {
    turn.cancel();
    throw new Error("a bug behind the cancel");
  };
  expect(await run(handler)).toEqual({ type: "cancelled" });
  expect(errors).toEqual([expect.objectContaining({ message: "a bug behind the cancel" })]);
});

it("does not report the abort error that a cancel causes", async () => {
  const { turn, errors, run } = setUp();
  const running = run(
    () => new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason))),
  );
  turn.cancel();
  expect(await running).toEqual({ type: "cancelled" });
  expect(errors).toEqual([]);
});

it("does not start a turn that was cancelled before", async () => {
  const { turn, run } = setUp();
  expect(turn.cancel()).toBe(true);
  expect(turn.cancel()).toBe(false);
  expect(await run(() => expect.unreachable())).toEqual({ type: "cancelled" });
});

it("leaves a handler behind, refuses its sends, and reports its error", async () => {
  const { turn, errors, run } = setUp();
  let failLate = (_error: Error): void => {};
  const running = run(() => new Promise((_, reject) => (failLate = reject)), 1);
  turn.cancel();
  expect(await running).toEqual({ type: "cancelled" });
  expect(() => turn.check("session/update")).toThrow("session/update: the turn of session s1 has ended");
  failLate(new Error("late"));
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(errors).toEqual([expect.objectContaining({ message: "late" })]);
});

it("closes what is open before it says its end, and refuses the handler's sends meanwhile", async () => {
  const { turn } = setUp();
  const order: string[] = [];
  turn.opened(() => void order.push(`first while ${turn.state}`));
  turn.opened(() => void order.push("second"))();
  await turn.run(() => {}, {
    cancelGraceMs: 0,
    onError: () => {},
    end: () => {
      expect(() => turn.check("x")).toThrow(expect.toSatisfy((error: unknown) => isWireError(error, "closed")));
      order.push("end");
    },
  });
  expect(order).toEqual(["first while ending", "end"]);
  expect(turn.state).toBe("ended");
});
