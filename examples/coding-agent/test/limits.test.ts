import { expect, it } from "vitest";
import { limitsOf } from "../src/limits.js";
import { openBench } from "./support/bench.js";
import { callsOf, fakeTurn } from "./support/fake-turn.js";
import { tempFolder } from "./support/temp-folder.js";

const runOf = (configuration: object) => ({ "editwire/kaiak": { configuration } });

it("a client of Kaiak limits files, tool calls and answers, and is asked about tools that only read", async () => {
  const cwd = await tempFolder({ "a.ts": "a", "b.js": "b" });
  const read = (path: string) => ({ calls: [{ name: "read_file", args: { path } }] });
  const bench = await openBench(cwd, {
    script: function* () {
      yield read("a.ts");
      yield read("b.js");
      yield read("a.ts");
      yield { say: "never said" };
    },
  });
  const view = fakeTurn();
  const workspace = { include_patterns: ["**/*.ts"] };
  const meta = runOf({ workspace, tools: { max_tool_calls: 2 }, session: { max_turns: 3 } });
  expect((await bench.session.prompt("Go", { view, meta })).stopReason).toBe("max_turn_requests");
  expect(view.asked.map(({ title }) => title)).toEqual(["Read a.ts", "Read b.js"]);
  expect(callsOf(view)).toEqual(["Read a.ts: completed", "Read b.js: failed"]);
  expect(bench.told().at(-1)).toBe("tool: Error: b.js is not among the files of this workspace");
});

it("has no limits without a run of Kaiak, and refuses a run whose limits do not fit", () => {
  expect(limitsOf({ meta: undefined })).toEqual({ asksAlways: false, maxToolCalls: Infinity, maxRounds: Infinity });
  expect(() => limitsOf({ meta: runOf({ workspace: { exclude_patterns: [""] } }) })).toThrow("do not fit");
  expect(() => limitsOf({ meta: runOf({}) })).toThrow("do not fit");
});
