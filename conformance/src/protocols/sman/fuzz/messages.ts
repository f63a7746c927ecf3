import * as fc from "fast-check";
import type { Known } from "../../../fuzz/arbitrary.js";
import { changedMethods, some } from "../../../fuzz/messages.js";
import { LONG, TEXT_ID } from "../../../fuzz/placeholders.js";
import type { FuzzStep } from "../../../fuzz/suite.js";
import { toolNames, tools } from "../samples.js";
import { table } from "../table.js";

type Json = Record<string, unknown>;

const idOf = (known: unknown): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(known) }, fc.constantFrom<unknown>("", "nobody", 7, null, {}, " "));
const text = fc.oneof(
  { weight: 15, arbitrary: fc.constantFrom("done", "größer 漢 😀", '{"a":[1]}', "", "\u2028") },
  fc.constant(LONG),
);

/** Nothing that the tools of a plugin could do is harmful: the files are those of the suite's own project. */
const toPlugins: Known = {
  relativePath: fc.constantFrom("README.md", "read/numbers.txt", "src/demo/Shop.java", "nowhere.txt", "../outside", ""),
  pattern: fc.constantFrom("straw", "needle", "(", "a.c", "", "(a+)+$"),
  method: fc.constantFrom("Shop.openShop", "Nobody.run", "run", "."),
  searchContent: fc.constantFrom("nobody wrote this", "nor this"),
  replaceContent: text,
  webSocketSessionId: fc.constant("fuzz"),
  projectKey: fc.constantFrom("conformance", "another"),
};

const garbage = fc.constantFrom(
  "this is not JSON",
  "",
  "null",
  "[]",
  '{"type":"TOOL_CALL","toolCallId":',
  "\ufeff{}",
  "{}{}",
  "[".repeat(2_000),
);

/** Frames that hold no message, and a message that comes again. */
const oddities = fc.oneof(
  garbage.map((frame) => ({ do: "text", text: frame })),
  garbage.map((frame) => ({ do: "binary", text: frame })),
  fc.constantFrom({ do: "again" }, { do: "ping" }),
);

/** Envelopes that are wrong, or unusual. */
function enveloped(message: Json, data: Json): fc.Arbitrary<FuzzStep> {
  const { type, ...rest } = message;
  const odd = fc.constantFrom<unknown>(
    { type, data: rest },
    { type, ...rest, data },
    { ...rest, type: 7 },
    { ...rest, type: `${String(type)} ` },
    { ...rest, type: "PING" },
    rest,
    [message],
    { ...message, timestamp: 1, "x-vendor": null },
  );
  return fc
    .oneof({ weight: 6, arbitrary: fc.constant<unknown>(message) }, odd)
    .map((one) => ({ do: "message", message: one }));
}

const calls = changedMethods({ table, role: "backend", known: toPlugins, without: [] }).map(({ params }) =>
  fc
    .tuple(params, idOf(TEXT_ID))
    .chain(([fields, toolCallId]) =>
      enveloped(
        { type: "TOOL_CALL", toolCallId, ...(fields as object) },
        { toolCallId: "in-data", toolName: "read_file" },
      ),
    ),
);

const results = fc
  .record(
    {
      success: fc.oneof({ weight: 4, arbitrary: fc.boolean() }, fc.constantFrom<unknown>(null, "true", 1)),
      result: fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom<unknown>(null, 7, { a: 1 }, [])),
      error: fc.oneof({ weight: 4, arbitrary: text }, fc.constantFrom<unknown>(null, 7, {})),
      executionTime: fc.constantFrom<unknown>(0, 3, 0.5, -1, "3", null),
    },
    { requiredKeys: [] },
  )
  .chain((fields) =>
    idOf(TEXT_ID).chain((toolCallId) => enveloped({ type: "TOOL_RESULT", data: { toolCallId, ...fields } }, {})),
  );

/** A few messages in a row, for a plugin. */
export const pluginMessages = some(...calls, oddities);
/** A few messages in a row, for a backend that waits for a result. */
export const backendMessages = some(results, results, oddities);

/** A tool, with some of its params and valid values for them. */
export const validCalls: fc.Arbitrary<{ readonly tool: string; readonly params: Json }> = fc
  .constantFrom(...toolNames)
  .chain((tool) => {
    const { params, required } = tools[tool];
    const others = Object.keys(params).filter((name) => !(required as readonly string[]).includes(name));
    return fc.subarray(others).map((names) => ({
      tool,
      params: Object.fromEntries(
        Object.entries(params).filter(([name]) => !others.includes(name) || names.includes(name)),
      ),
    }));
  });
