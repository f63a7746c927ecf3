import type { ModelTurn, Script, ScriptRun, Step, ToolRequest, ToolUse } from "@editwire/conformance/model";
import { calledImports, type Defect, definitionOf, findDefect, type Source, withoutLineNumbers } from "./diagnosis.js";
import { answerQuestion } from "./questions.js";
import { readTestReport, type TestReport } from "./test-report.js";

const TESTS = ["node", "--test"];
const STEPS = ["Find out which test fails", "Read the code behind it", "Correct the defect", "Run the tests again"];

type Part<T> = Generator<Step, T, readonly ToolUse[]>;

/**
 * Finds and fixes the failing test of a small JavaScript project, from what the tools report: it runs the tests, reads
 * the failing one and the code behind it, proposes an edit, and runs the tests again. It stops, and says why, where
 * something is missing or refused.
 */
export const fixFailingTest: Script = function* (turn) {
  const answer = answerQuestion(turn);
  if (answer !== undefined) return void (yield { say: answer });

  const listing = yield* use({
    think:
      "The user wants a failing test fixed. I do not know this project yet, so I look around before I judge anything.",
    say: "I'll look at the project first, then run its tests to see what fails.",
    calls: [plan(0), { name: "list_files", args: {} }],
  });
  const files = listing.split("\n").filter((line) => line !== "");
  const tests = files.filter((file) => /\.test\.[cm]?[jt]s$/.test(file));
  if (isRefusal(listing)) return yield* stop(`I cannot see the project: ${listing}`);
  if (tests.length === 0) return yield* stop("I find no tests in this folder, so there is nothing that I could fix.");

  const output = turn.tools.has("run_command")
    ? yield* use({ calls: [{ name: "run_command", args: { argv: TESTS } }] })
    : undefined;
  const report = output === undefined || isRefusal(output) ? undefined : readTestReport(output);
  if (output !== undefined && !isRefusal(output) && report === undefined) {
    return yield* stop("I cannot tell from this output which test fails.");
  }
  if (report?.fail === 0) return yield* stop(`All ${report.pass} tests pass: there is nothing to fix.`);

  const defect =
    report === undefined ? yield* readEverything(files) : yield* followFailure(report, output ?? "", files, tests);
  if (defect === undefined) {
    return yield* stop(
      "I read the code behind the tests and found no defect that I would be sure of, so I change nothing.",
    );
  }
  yield* correct(turn, defect, report);
};

/** From the failing test to the code that decides it: each place is read off the one before. */
function* followFailure(
  { failing = "", pass, fail }: TestReport,
  output: string,
  files: string[],
  tests: string[],
): Part<Defect | undefined> {
  const mentioned = files.filter((file) => output.includes(`${file}:`));
  const test = mentioned.find((file) => tests.includes(file));
  const thrower = mentioned.find((file) => !tests.includes(file));
  if (test === undefined || thrower === undefined) return undefined;

  const [, testText = "", throwerText = ""] = yield* useAll({
    say: `${fail} of ${pass + fail} tests fails: “${failing}”. I'll read the test and the code that it ends up in.`,
    calls: [plan(1), read(test), read(thrower)],
  });
  if (isRefusal(testText) || isRefusal(throwerText)) return undefined;
  const source = { path: thrower, text: withoutLineNumbers(throwerText) };
  const found = findDefect(source);
  if (found !== undefined) return found;

  for (const name of calledImports(source.text).reverse()) {
    const hits = yield* use({
      say: `The expectation is plain, and \`${thrower}\` leaves the decision to \`${name}\`. Who else relies on it?`,
      calls: [{ name: "search", args: { pattern: `\\b${name}\\b` } }],
    });
    const path = definitionOf(name, hits);
    if (path === undefined) continue;
    const defect = findDefect({ path, text: withoutLineNumbers(yield* use({ calls: [read(path)] })) });
    if (defect !== undefined) return defect;
  }
  return undefined;
}

/** Without a test run, every source file is read. */
function* readEverything(files: readonly string[]): Part<Defect | undefined> {
  const paths = files.filter((file) => /\.[cm]?[jt]s$/.test(file)).slice(0, 20);
  const [, ...texts] = yield* useAll({
    say: "I cannot run the tests here, so I read them and the code instead.",
    calls: [plan(1), ...paths.map(read)],
  });
  const sources: Source[] = paths.map((path, index) => ({ path, text: withoutLineNumbers(texts[index] ?? "") }));
  return sources.map(findDefect).find((defect) => defect !== undefined);
}

function* correct(
  turn: ModelTurn,
  { path, line, oldText, newText }: Defect,
  report: TestReport | undefined,
): ScriptRun {
  const place = `\`${path}\`, line ${line}`;
  const cause = "the end of the range is not part of it, as the comment says, but `<=` counts it in";
  const diagnosis = `The cause is ${place}: ${cause}.`;
  const patch = `\`\`\`diff\n- ${oldText}\n+ ${newText}\n\`\`\``;
  if (!turn.tools.has("edit_file")) {
    return yield* stop(`${diagnosis}\n\nThis mode does not let me edit files. The change would be:\n\n${patch}`);
  }

  const [, edited = ""] = yield* useAll({
    say: `${diagnosis} I'll compare with \`<\` on both sides.`,
    calls: [plan(2), { name: "edit_file", args: { path, old_text: oldText, new_text: newText } }],
  });
  if (/rejected/i.test(edited)) {
    return yield* stop(`You rejected the edit, so \`${path}\` stays as it is. The change would have been:\n\n${patch}`);
  }
  if (isRefusal(edited)) return yield* stop(`The edit of \`${path}\` did not work, so I stop here: ${edited}`);
  if (report === undefined) {
    return yield* finish(`I corrected \`${path}\`. I could not run the tests, so please run \`${TESTS.join(" ")}\`.`);
  }

  const again = yield* use({
    say: "Now the tests again.",
    calls: [plan(3), { name: "run_command", args: { argv: TESTS } }],
  });
  const after = isRefusal(again) ? undefined : readTestReport(again);
  if (after === undefined)
    return yield* finish(`I corrected \`${path}\`, but could not run the tests again: ${again.split("\n", 1)[0]}`);
  if (after.fail > 0) {
    return yield* stop(
      `After the edit ${after.fail} of ${after.pass + after.fail} tests still fails: “${after.failing}”. ` +
        "Please look at it with me.",
    );
  }
  yield* finish(
    `All ${after.pass} tests pass now. Two stays that only touch, one guest leaving on the day the next ` +
      `arrives, no longer count as overlapping; the change is one line in \`${path}\`.`,
  );
}

/** Ends the turn with every step done. */
function* finish(say: string): ScriptRun {
  yield { calls: [plan(STEPS.length)] };
  yield { say };
}

/** Ends the turn where it is. */
function* stop(say: string): ScriptRun {
  yield { say };
}

/** Makes the calls of one step and gives the last one's result. */
function* use(step: Step & { calls: readonly ToolRequest[] }): Part<string> {
  return (yield* useAll(step)).at(-1) ?? "";
}

function* useAll(step: Step & { calls: readonly ToolRequest[] }): Part<string[]> {
  return (yield step).map(({ result }) => result);
}

function read(path: string): ToolRequest {
  return { name: "read_file", args: { path } };
}

function plan(current: number): ToolRequest {
  const statusOf = (index: number) => (index < current ? "completed" : index === current ? "in_progress" : "pending");
  return {
    name: "update_plan",
    args: { entries: STEPS.map((content, index) => ({ content, status: statusOf(index) })) },
  };
}

function isRefusal(result: string): boolean {
  return result === "" || /^(Error: |The user rejected)/.test(result);
}
