import { createColors } from "picocolors";
import { Screen, type Terminal } from "@editwire/example-terminal-client";
import type { KaiakQuestion } from "@editwire/kaiak";
import { describe, expect, test } from "vitest";
import { choicesOf, openQuestions } from "../src/questions.js";

const question: KaiakQuestion = {
  questionId: "q",
  type: "file_approval",
  prompt: "Apply\u001b[2J it?",
  options: ["approve", "deny", "edit"],
  defaultResponse: "deny",
  timeoutMs: undefined,
  schema: undefined,
};

/** A terminal with a keyboard whose keys the test presses once a question is up. */
function setUp({ yes = false }: { yes?: boolean } = {}) {
  let text = "";
  const written: (() => void)[] = [];
  const out = {
    columns: 80,
    write(chunk: string) {
      text += chunk;
      for (const look of [...written]) look();
      return true;
    },
    once: () => {},
  };
  let press = (_key: string): void => {};
  const keyboard = {
    listen(listener: (key: string) => void) {
      press = listener;
      return () => (press = () => {});
    },
    takeTyped: () => "",
    pause() {},
    resume() {},
    close() {},
  };
  const screen = new Screen(out, { show() {}, hide() {} });
  const terminal = { screen, colors: createColors(false), keyboard } as unknown as Terminal;
  return {
    questions: openQuestions({ yes }, terminal),
    text: () => text,
    press: (key: string) => press(key),
    shows: (needle: string, times = 1) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          if (text.split(needle).length > times) resolve();
        };
        written.push(look);
        look();
      }),
  };
}

const { signal } = new AbortController();

test("gives options keys by their meaning, and answers to questions that have none", () => {
  const keysOf = (type: KaiakQuestion["type"], ...options: string[]): string[] =>
    choicesOf({ type, options }).map(({ key, option }) => `${key} ${option.name}`);
  expect(keysOf("file_approval", "approve", "deny", "edit")).toEqual(["y approve", "n deny", "e edit"]);
  expect(keysOf("choice", "Base64", "Guava", "Yes")).toEqual(["1 Base64", "2 Guava", "y Yes"]);
  expect(keysOf("confirmation")).toEqual(["y yes", "n no"]);
  expect(keysOf("text_input")).toEqual([]);
});

describe("at a terminal", () => {
  test("a key answers, and text of the server cannot move the cursor", async () => {
    const { questions, shows, press, text } = setUp();
    const answer = questions.handler(question, { signal });
    await shows("y approve");
    press("x");
    press("E");
    expect(await answer).toBe("edit");
    expect(text()).toContain("? Apply␛[2J it?\n");
    expect(text()).toContain("  └ edit\n");
  });

  test("questions come one at a time", async () => {
    const { questions, shows, press } = setUp();
    const answers = [questions.handler(question, { signal }), questions.handler(question, { signal })];
    await shows("y approve");
    press("y");
    await shows("y approve", 2);
    press("n");
    expect(await Promise.all(answers)).toEqual(["approve", "deny"]);
  });

  test("a question is withdrawn when its run ends, or when its time is over", async () => {
    const { questions, shows, text } = setUp();
    const controller = new AbortController();
    const answer = questions.handler(question, { signal: controller.signal });
    await shows("y approve");
    controller.abort();
    expect(await answer).toBeUndefined();
    expect(text()).toContain("  └ withdrawn\n");
    expect(await questions.handler({ ...question, timeoutMs: 1 }, { signal })).toBeUndefined();
  });
});

test("--yes approves, and leaves to the server's default what has no yes", async () => {
  const { questions } = setUp({ yes: true });
  expect(await questions.handler(question, { signal })).toBe("approve");
  const choice = { ...question, type: "choice", options: ["a", "b"], defaultResponse: "b" } as const;
  expect(await questions.handler(choice, { signal })).toBe("b");
  expect(await questions.handler({ ...choice, defaultResponse: undefined }, { signal })).toBeUndefined();
});
