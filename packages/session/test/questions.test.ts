import { expect, it } from "vitest";
import { Questions } from "../src/index.js";
import type { QuestionsOptions } from "../src/sessions/questions.js";

type Answer = "yes" | "no" | "cancelled";

function questionsOf(handler?: QuestionsOptions<string, Answer>["handler"]): {
  questions: Questions<string, Answer>;
  errors: unknown[];
} {
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  return {
    questions: new Questions<string, Answer>({ cancelled: "cancelled", rejected: "no", handler, onError }),
    errors,
  };
}

it("gives the handler's answer", async () => {
  expect(await questionsOf(async () => "yes").questions.ask("run?", [])).toBe("yes");
});

it("answers cancelled at once when a signal aborts, and tells the handler", async () => {
  let isAborted = false;
  const { questions } = questionsOf((_subject, { signal }) => {
    signal.addEventListener("abort", () => (isAborted = true));
    return new Promise(() => {});
  });
  const controller = new AbortController();
  const asking = questions.ask("run?", [controller.signal]);
  expect(questions.open).toEqual(["run?"]);
  controller.abort();
  expect(await asking).toBe("cancelled");
  expect(isAborted).toBe(true);
  expect(questions.open).toEqual([]);
  expect(await questions.ask("again?", [controller.signal])).toBe("cancelled");
});

it("rejects when the handler throws, and reports the error", async () => {
  const { questions, errors } = questionsOf(async () => {
    throw new Error("no dialog");
  });
  expect(await questions.ask("run?", [])).toBe("no");
  expect(errors).toEqual([expect.objectContaining({ message: "no dialog" })]);
});

it("takes a decision that was made elsewhere, once", async () => {
  const { questions } = questionsOf();
  const asking = questions.ask("run?", [], { id: "c1" });
  expect(questions.answer("c2", "no")).toBe(false);
  expect(questions.answer("c1", "yes")).toBe(true);
  expect(questions.answer("c1", "no")).toBe(false);
  expect(await asking).toBe("yes");
});

it("cancels everything that is open", async () => {
  const { questions } = questionsOf(async () => undefined);
  const asking = [questions.ask("a", []), questions.ask("b", [])];
  questions.cancelAll();
  expect(await Promise.all(asking)).toEqual(["cancelled", "cancelled"]);
});

it("says that a question is open before the handler is called", async () => {
  const order: string[] = [];
  const { questions } = questionsOf(async () => (order.push("handler"), "yes"));
  await questions.ask("run?", [], { onOpen: () => order.push(`open: ${questions.open.join()}`) });
  expect(order).toEqual(["open: run?", "handler"]);
});

it("answers two questions of one id one after the other, and cancels both", async () => {
  const { questions } = questionsOf();
  const asked = ["first?", "second?", "third?"].map((subject) => questions.ask(subject, [], { id: "call" }));
  expect(questions.open).toEqual(["first?", "second?", "third?"]);
  expect(questions.answer("call", "yes")).toBe(true);
  expect(questions.open).toEqual(["second?", "third?"]);
  questions.cancelAll();
  expect(await Promise.all(asked)).toEqual(["yes", "cancelled", "cancelled"]);
  expect(questions.answer("call", "yes")).toBe(false);
});
