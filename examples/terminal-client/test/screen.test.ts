import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Screen } from "../src/screen.js";

function setUp({ live = true, writable = () => true }: { live?: boolean; writable?: () => boolean } = {}) {
  let text = "";
  const listeners: { readonly [event: string]: (() => void)[] } = { drain: [], close: [] };
  const out = {
    columns: 80,
    write(chunk: string) {
      text += chunk;
      return writable();
    },
    once: (event: "drain" | "close", listener: () => void) => listeners[event]?.push(listener),
  };
  const spinner = { show: (label: string) => out.write(`<${label}>`), hide: () => out.write("<>") };
  const screen = new Screen(out, live ? spinner : undefined);
  return {
    screen,
    text: () => text,
    emit: (event: string) => listeners[event]?.splice(0).forEach((listener) => listener()),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("sections", () => {
  test("have one empty line between them, and none at the top", () => {
    const { screen, text } = setUp();
    screen.print("a", ["1", "2"]);
    screen.print("a", ["3"]);
    screen.stream("b", "x");
    screen.stream("b", "y");
    screen.print("c", ["4"]);
    screen.print("c", []);
    screen.continue(["5"]);
    expect(text()).toBe("1\n2\n3\n\nxy\n\n4\n5\n");
  });

  test("do not grow by the empty lines that a text begins and ends with", () => {
    const { screen, text } = setUp();
    screen.stream("a", "\n\none\n");
    screen.stream("a", "\n\n");
    screen.stream("a", "\ntwo\n\n\n");
    screen.print("b", ["three"]);
    screen.stream("c", "\n\n");
    screen.print("b", ["four"]);
    expect(text()).toBe("one\n\ntwo\n\nthree\nfour\n");
  });

  test("paint whole lines of a stream", () => {
    const { screen, text } = setUp();
    screen.stream("a", "one\n\ntwo", (line) => `[${line}]`);
    expect(text()).toBe("[one]\n\n[two]");
  });

  test("end with a line break", () => {
    const { screen, text } = setUp();
    screen.stream("a", "one");
    screen.close();
    expect(text()).toBe("one\n");
  });
});

describe("the spinner", () => {
  test("comes when it has been quiet, and goes before the next write", () => {
    const { screen, text } = setUp();
    screen.wait("working");
    expect(text()).toBe("");
    vi.runAllTimers();
    screen.print("a", ["1"]);
    screen.print("a", ["2"]);
    vi.runAllTimers();
    screen.wait("reading");
    screen.wait(undefined);
    expect(text()).toBe("<working><>1\n2\n<working><reading><>");
  });

  test("never shares a line with text", () => {
    const { screen, text } = setUp();
    screen.wait("working");
    screen.stream("a", "half a line");
    vi.runAllTimers();
    expect(text()).toBe("half a line");
    screen.stream("a", " and the rest.\n");
    vi.runAllTimers();
    screen.stream("a", "\nNext.");
    expect(text()).toBe("half a line and the rest.\n<working><>\nNext.");
  });

  test("is absent without a terminal", () => {
    const { screen, text } = setUp({ live: false });
    screen.wait("working");
    vi.runAllTimers();
    expect([screen.live, text()]).toEqual([false, ""]);
  });

  test("gives its place to what is pinned", () => {
    const { screen, text } = setUp();
    screen.wait("working");
    screen.stream("a", "text");
    const release = screen.pin({ draw: () => screen["columns"] && void 0, erase: () => {} });
    vi.runAllTimers();
    expect(text()).toBe("text\n");
    release();
    vi.runAllTimers();
    expect(text()).toBe("text\n<working>");
  });
});

describe("pinned lines", () => {
  test("are erased for output and drawn again below it", () => {
    const { screen, text } = setUp();
    const release = screen.pinLines(["y Yes", "n No"]);
    screen.print("a", ["late news"]);
    release();
    release();
    expect(text()).toBe("y Yes\nn No\u001b[1A\r\u001b[Jlate news\ny Yes\nn No\u001b[1A\r\u001b[J");
  });

  test("never wrap", () => {
    const { screen, text } = setUp();
    screen.pinLines(["x".repeat(200)]);
    expect(text()).toHaveLength(80);
  });
});

describe("drained", () => {
  test("waits for a slow reader", async () => {
    let room = false;
    const { screen, emit } = setUp({ writable: () => room });
    await screen.drained();
    screen.print("a", ["1"]);
    screen.print("a", ["2"]);
    const after = vi.fn();
    const waiting = screen.drained().then(after);
    await Promise.resolve();
    expect(after).not.toHaveBeenCalled();
    room = true;
    emit("drain");
    await waiting;
    screen.print("a", ["3"]);
    await screen.drained();
  });

  test("does not wait for one that has gone", async () => {
    const { screen, emit } = setUp({ writable: () => false });
    screen.print("a", ["1"]);
    const waiting = screen.drained();
    emit("close");
    await waiting;
    screen.print("a", ["2"]);
    await screen.drained();
  });
});
