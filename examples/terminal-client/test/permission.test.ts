import type { AcpPermissionAnswer } from "@editwire/acp";
import type { PermissionOption, PermissionOptionKind } from "@editwire/acp-schema";
import { describe, expect, test } from "vitest";
import { renderChoices } from "../src/choices.js";
import type { Keyboard } from "../src/keyboard.js";
import { createPermissionHandler, optionsFor, permissionChoices, type Policy } from "../src/permission.js";
import { Screen } from "../src/screen.js";
import { createTurnView } from "../src/turn-view.js";
import { plain } from "./looks.js";

function option(kind: PermissionOptionKind, optionId: string = kind, name = `Name of ${optionId}`): PermissionOption {
  return { optionId, name, kind };
}

describe("permissionChoices", () => {
  const keysOf = (...options: PermissionOption[]): string[] =>
    permissionChoices(options).map((choice) => `${choice.key} ${choice.option.optionId}`);

  test("gives each kind its key, whatever the order", () => {
    expect(
      keysOf(option("reject_once"), option("reject_always"), option("allow_always"), option("allow_once")),
    ).toEqual(["n reject_once", "d reject_always", "a allow_always", "y allow_once"]);
  });

  test("gives options of one kind the numbers of their places", () => {
    const keys = keysOf(option("allow_once", "file"), option("allow_once", "folder"), option("reject_once"));
    expect(keys).toEqual(["1 file", "2 folder", "n reject_once"]);
  });

  test("leaves out what no key is left for", () => {
    const options = Array.from({ length: 12 }, (_, index) => option("allow_once", String(index)));
    expect(permissionChoices(options)).toHaveLength(9);
  });
});

test("optionsFor goes by kind and prefers the narrower one", () => {
  const options = [option("allow_always"), option("reject_always"), option("allow_once"), option("reject_once")];
  const idsFor = (answer: "allow" | "reject", offered: readonly PermissionOption[]): string[] =>
    optionsFor(answer, offered).map(({ optionId }) => optionId);
  expect(idsFor("allow", options)).toEqual(["allow_once"]);
  expect(idsFor("reject", options)).toEqual(["reject_once"]);
  expect(idsFor("allow", [option("allow_always", "reject")])).toEqual(["reject"]);
  expect(idsFor("allow", [option("reject_once", "allow")])).toEqual([]);
  expect(idsFor("allow", [option("allow_always"), option("allow_once", "a"), option("allow_once", "b")])).toEqual([
    "a",
    "b",
  ]);
});

test("renderChoices shows the whole name of an option that is wider than the terminal", () => {
  const choices = permissionChoices([
    option("allow_always", "1", "Yes, and don't ask again for commands that start with `touch zz`"),
  ]);
  expect(renderChoices(choices, 50, plain.colors)).toEqual([
    "  a Yes, and don't ask again for commands that",
    "    start with `touch zz`",
    "  ctrl-c Cancel the turn",
  ]);
});

test("renderChoices is one line where that fits", () => {
  const choices = permissionChoices([
    option("allow_once", "1", "Allow\u001b[2J"),
    option("reject_once", "2", "Reject"),
  ]);
  expect(renderChoices(choices, 80, plain.colors)).toEqual(["  y Allow␛[2J   n Reject   ctrl-c Cancel the turn"]);
  expect(renderChoices(choices, 30, plain.colors)).toEqual(["  y Allow␛[2J", "  n Reject", "  ctrl-c Cancel the turn"]);
});

describe("the handler", () => {
  function setUp(policy: Policy | ((keyboard: Keyboard) => Policy) = (ask) => ({ ask })) {
    let text = "";
    const shown: { needle: string; resolve: () => void }[] = [];
    const out = {
      columns: 80,
      write(chunk: string) {
        text += chunk;
        for (const { needle, resolve } of shown) if (text.includes(needle)) resolve();
        return true;
      },
      once: () => {},
    };
    let press = (_key: string): void => {};
    const keyboard: Keyboard = {
      listen(listener) {
        press = listener;
        return () => (press = () => {});
      },
      takeTyped: () => "",
      pause() {},
      resume() {},
      close() {},
    };
    const screen = new Screen(out, { show() {}, hide() {} });
    const handler = createPermissionHandler(
      typeof policy === "function" ? policy(keyboard) : policy,
      screen,
      createTurnView(screen, plain, false),
      plain.colors,
    );
    const yesOrNo = [option("allow_once", "yes"), option("reject_once", "no")];
    const ask = (
      title: string,
      signal = new AbortController().signal,
      options = yesOrNo,
    ): Promise<AcpPermissionAnswer | undefined> =>
      Promise.resolve(
        handler({ sessionId: "s", toolCall: { toolCallId: title, title, kind: "edit" }, options }, { signal }),
      );
    const shows = (needle: string): Promise<void> =>
      new Promise((resolve) => (text.includes(needle) ? resolve() : shown.push({ needle, resolve })));
    return { ask, shows, press: (key: string) => press(key), text: () => text };
  }

  test("asks at the keyboard, takes only the keys that it shows, and says what was chosen", async () => {
    const { ask, shows, press, text } = setUp();
    const answer = ask("Edit a.js");
    await shows("ctrl-c");
    press("x");
    press("return");
    press("N");
    expect(await answer).toEqual({ optionId: "no" });
    expect(text()).toBe(
      "? edit      Edit a.js\n  y Name of yes   n Name of no   ctrl-c Cancel the turn\r\u001b[J  └ Name of no\n",
    );
  });

  test("asks one question at a time", async () => {
    const { ask, shows, press, text } = setUp();
    const [first, second] = [ask("First"), ask("Second")];
    await shows("ctrl-c");
    expect(text()).not.toContain("Second");
    press("y");
    expect(await first).toEqual({ optionId: "yes" });
    await shows("Second");
    await shows("\n\n? edit      Second\n  y");
    press("n");
    expect(await second).toEqual({ optionId: "no" });
  });

  test("a cancelled turn withdraws the question and those behind it", async () => {
    const { ask, shows, text } = setUp();
    const controller = new AbortController();
    const answers = [ask("First", controller.signal), ask("Second", controller.signal)];
    await shows("ctrl-c");
    controller.abort();
    expect(await Promise.all(answers)).toEqual(["cancelled", "cancelled"]);
    expect(text()).toContain("└ cancelled");
    expect(text()).not.toContain("Second");
  });

  test("answers by itself when told to, and says why", async () => {
    const { ask, text } = setUp({ answer: "allow", reason: "for a test" });
    expect(await ask("Edit a.js")).toEqual({ optionId: "yes" });
    expect(text()).toContain("└ Name of yes (for a test)");
    expect(await ask("Edit b.js", undefined, [option("reject_once")])).toBe("cancelled");
    expect(text()).toContain("└ cancelled (for a test)");
  });

  const several = [option("allow_once", "file"), option("allow_once", "folder"), option("reject_once", "no")];

  test("chooses none of several options by itself, and names them", async () => {
    const { ask, text } = setUp({ answer: "allow", reason: "for a test" });
    expect(await ask("Edit a.js", undefined, several)).toBe("cancelled");
    expect(text()).toContain('└ cancelled (for a test, which may mean "Name of file" or "Name of folder")');
  });

  test("asks which of several options is meant, where there is a keyboard", async () => {
    const { ask, shows, press, text } = setUp((unsure) => ({ answer: "allow", reason: "for a test", unsure }));
    const answer = ask("Edit a.js", undefined, several);
    await shows("1 Name of file   2 Name of folder   n Name of no");
    press("y");
    press("2");
    expect(await answer).toEqual({ optionId: "folder" });
    expect(text()).toContain("└ Name of folder\n");
    expect(await ask("Edit b.js")).toEqual({ optionId: "yes" });
  });
});
