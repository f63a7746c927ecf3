import fc from "fast-check";
import { expect, it } from "vitest";
import { openSearch } from "../src/grep/search.js";
import { editText, excerptOf } from "../src/parts.js";
import { type IdeTools, openIdeTools, ToolError } from "../src/index.js";
import { openWorkspace, type Workspace } from "../src/workspace/workspace.js";
import { hostilePaths, hostileTree } from "./support/hostile-tree.js";
import { watched } from "./support/watchdog.js";

/** Bytes of the whole process, with up to four workers of 512 MB beside the index of call chains. */
const maxRss = 3 * 1024 ** 3;
const timeoutMs = 4000;

interface Bench {
  readonly tools: IdeTools;
  readonly workspace: Workspace;
}

/** One call of a tool or of a part of the tools. */
type Call = (bench: Bench) => Promise<unknown>;

const path = fc.oneof(fc.constantFrom(...hostilePaths), fc.string({ maxLength: 20 }));
const integer = fc.oneof(fc.integer({ min: -5, max: 1100 }), fc.constantFrom(NaN, Infinity, 1e9, 2 ** 53, 1.5, -1));
const pattern = fc.oneof(
  fc.constantFrom(
    ...["needle", "a", ".", "^$", "", "(a+)+$", "(a|a)*b", "\\", "[", "\n", "\0", "\r", "\\b\\w+\\b", "--"],
  ),
  fc.constantFrom("a".repeat(10_000), "a".repeat(200_000), "(a?){900}a{900}", "((a{1,9}){1,9}){1,9}", "`".repeat(9000)),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const passage = fc.oneof(
  fc.constantFrom("", "one", "two\n", "  one\n two", "\n\n\n", "a", "a\0b", "\uD83D", "``` ", "needle\r"),
  fc.constantFrom("ab".repeat(2 ** 19), `${"ab".repeat(2 ** 19)}x`, "\n".repeat(2 ** 20), "a".repeat(11 * 2 ** 20)),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const method = fc.oneof(
  fc.constantFrom(...["Deep.run", "Chain.run", "Nest.Nest", "Wide.run", "Loop.run", "Same.run", "calls.f", "a.b.c.d"]),
  fc.constantFrom("run", ".", "A.", "constructor.constructor", "__proto__.x", `${"a.".repeat(400)}b`),
  fc.string({ maxLength: 12 }),
);
const some = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

/** Names a call by its params, which may be long. */
function named(params: unknown, run: Call): Call {
  const text = fc.stringify(params);
  const shown = text.length > 500 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
  return Object.assign(run, { [fc.toStringMethod]: () => `${run} ${shown}` });
}

const grep = fc.record({
  ...{ pattern, relativePath: some(path), regex: some(fc.boolean()), case_sensitive: some(fc.boolean()) },
  ...{ context_lines: some(integer), limit: some(integer), file_type: some(fc.constantFrom("java", ".x", "?")) },
});
const read = fc.record({
  ...{ relativePath: path, start_line: some(integer), end_line: some(integer), line: some(integer) },
  context_lines: some(integer),
});
const chain = fc.record({
  ...{ method, direction: some(fc.constantFrom("callers", "callees", "both")), depth: some(integer) },
  includeSource: some(fc.boolean()),
});
const change = fc.record({ relativePath: path, searchContent: some(passage), replaceContent: passage });

const call: fc.Arbitrary<Call> = fc.oneof(
  grep.map((params) => named(params, ({ tools }) => tools.grep_file(params))),
  read.map((params) => named(params, ({ tools }) => tools.read_file(params))),
  chain.map((params) => named(params, ({ tools }) => tools.call_chain(params))),
  change.map((params) => named(params, ({ tools }) => tools.apply_change(params))),
  path.map((at) => named(at, ({ workspace }) => workspace.list(at, AbortSignal.timeout(timeoutMs)))),
  fc.record({ pattern, folder: path }).map((query) =>
    named(query, ({ workspace }) => {
      const how = { isRegex: true, isCaseSensitive: false, limit: 100 };
      return openSearch({ workspace }, { timeoutMs })({ ...query, ...how });
    }),
  ),
  fc.tuple(passage, passage, passage).map((texts) => named(texts, () => editText(...texts))),
  fc
    .record({ text: passage, from: integer, to: integer })
    .map((params) => named(params, () => excerptOf(params.text, params, { maxChars: 999 }))),
);

it.each(["ripgrep", "scan"] as const)(
  "over a hostile tree, with %s, each call ends with a report or a code, and keeps neither the loop nor the memory",
  async (searchEngine) => {
    const root = await hostileTree();
    const tools = await openIdeTools(root, { searchEngine, timeoutMs });
    const bench = { tools, workspace: await openWorkspace(root) };
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 3 }), async (calls) => {
        const settled = await watched(() => Promise.allSettled(calls.map((run) => run(bench))));
        for (const { status, reason } of settled.map((one) => ({ reason: undefined, ...one })))
          if (status === "rejected" && !isTimeout(reason)) {
            if (!(reason instanceof ToolError)) throw reason;
            expect(reason.code, reason.message).toBeDefined();
          }
        expect(process.memoryUsage.rss()).toBeLessThan(maxRss);
      }),
      { numRuns: 150, endOnFailure: true },
    );
    await tools.close();
  },
);

/** The reason of a signal of the test. */
function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
