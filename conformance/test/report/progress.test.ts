import { describe, expect, test } from "vitest";
import { paintFor } from "../../src/cli/paint.js";
import { progressLine } from "../../src/cli/progress.js";
import { madeUpCase } from "./reports.js";

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = { isTTY, columns: 40, write: (text: string) => written.push(text) > 0 };
  return { written, stream: stream as unknown as NodeJS.WriteStream };
}

const isFailed = ({ verdict }: { readonly verdict: string }): boolean => verdict === "fail";

describe("progress", () => {
  test("one line on a terminal, no longer than it, and gone at the end", () => {
    const { written, stream } = terminal(true);
    const { onEvent, done } = progressLine(stream, isFailed);
    onEvent({ type: "start", cases: 3 });
    onEvent({ type: "case", result: madeUpCase({ id: "a.fails", verdict: "fail" }) });
    onEvent({ type: "case", result: madeUpCase({ id: `a.${"long".repeat(20)}` }) });
    done();
    expect(written.slice(0, 2)).toEqual(["\r\u001b[K0 of 3 cases", "\r\u001b[K1 of 3 cases, 1 failed  a.fails"]);
    expect(written[2]).toHaveLength("\r\u001b[K".length + 39);
    expect(written[3]).toBe("\r\u001b[K");
  });

  test("elsewhere a line at the start, and one every 5 s", () => {
    const { written, stream } = terminal(false);
    let time = 0;
    const { onEvent, done } = progressLine(stream, isFailed, () => time);
    onEvent({ type: "start", cases: 3 });
    onEvent({ type: "case", result: madeUpCase({ id: "a.soon" }) });
    time = 5_000;
    onEvent({ type: "case", result: madeUpCase({ id: "a.fails", verdict: "fail" }) });
    done();
    expect(written).toEqual(["0 of 3 cases\n", "2 of 3 cases, 1 failed  a.fails\n"]);
  });
});

test.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: false }, {}, false],
  [{ isTTY: false }, { FORCE_COLOR: "1" }, true],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: false }, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
])("colors for %o with %o: %s", (stream, env, expected) => {
  expect(paintFor(stream, env)?.("red", "x") === "\u001b[31mx\u001b[39m").toBe(expected);
});
