import { type ModelTurn, nextStep, type ToolUse } from "@editwire/conformance/model";
import { expect, it } from "vitest";
import { fixBound } from "../../src/scripted/fix-bound.js";

const hits =
  '### src/seats.ts\n\n```ts\n   3 |   export function reserve(): void {\n   4 >>>   throw new Error("full");\n```';
const chain = "- `seats.isFull` — src/seats.ts:9 (第 4 行调用)";
const code =
  "   8 |   /** The limit is excluded. */\n   9 >>> function isFull(n: number): boolean {\n" +
  "  10 |     return n <= limit;";

/** The script's steps, when the tools answer with the given texts one after the other. */
function play(answers: readonly string[], prompt = 'Why is the hall "full"?'): { calls: string[]; end: string } {
  const rounds: ToolUse[][] = [];
  for (;;) {
    const turn: ModelTurn = { prompt, past: [], system: "", tools: new Map(), earlier: [], rounds };
    const step = nextStep(fixBound, turn);
    if ("fail" in step) throw new Error(step.fail.message);
    const [call] = step.calls ?? [];
    if (call === undefined) return { calls: rounds.flat().map(({ name }) => name), end: String(step.say) };
    rounds.push([{ ...call, result: answers[rounds.length] ?? "Error: no answer" }]);
  }
}

it("corrects the comparison that contradicts its comment", () => {
  const { calls, end } = play([hits, chain, code, "## ok", "- `seats.reserve` — src/seats.ts:4 (第 4 行调用)"]);
  expect(calls).toEqual(["grep_file", "call_chain", "read_file", "apply_change", "call_chain"]);
  expect(end).toBe(
    "I changed `return n <= limit;` to `return n < limit;` in `src/seats.ts`. This reaches `seats.reserve`.",
  );
});

it.each([
  ["no text is quoted", [], "Fix it", /Quote a text/],
  ["the text is nowhere", ["未找到匹配"], undefined, /no method that writes "full"/],
  ["a search fails", ["Error: the IDE is busy"], undefined, /the IDE is busy$/],
  ["every bound is right", [hits, chain, "   1 |   return 1;"], undefined, /no wrong bound behind `seats.reserve`/],
  [
    "a change is refused",
    [hits, chain, code, "Error: 不允许写入"],
    undefined,
    /could not change `src\/seats.ts`. 不允许写入/,
  ],
])("says so when %s", (_case, answers, prompt, expected) => {
  expect(play(answers, prompt).end).toMatch(expected);
});
