import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CliOptions, parseOptions } from "../src/options.js";

beforeEach(() => void vi.spyOn(process.stderr, "write").mockReturnValue(true));
afterEach(() => vi.restoreAllMocks());

function parsed(...argv: string[]): CliOptions {
  const options = parseOptions(argv);
  if (typeof options === "number") throw new Error(`exit code ${options}`);
  return options;
}

test("splits the server's command without a shell", () => {
  expect(parsed("--server", "node 'a b.mjs' --x", "in.json").server).toEqual({ command: ["node", "a b.mjs", "--x"] });
  expect(parsed("--socket", "/k.sock", "in.json")).toMatchObject({ server: { socket: "/k.sock" }, file: "in.json" });
});

test("turns options into the messages of the protocol", () => {
  const argv = ["--socket", "s", "--cwd", "/p", "--include", "**/*.java", "--include", "*.xml", "--exclude", "a/**"];
  const run = ["--auto-apply", "--max-time", "60", "--no-explanations", "--max-tool-calls", "5"];
  const migration = ["--from", "Java 8", "--to", "Java 17", "--hint", "h1", "--hint", "h2", "--constraint", "c"];
  const permissions = ["--permission", "write_file=allow", "--permission", "shell_command=deny"];
  expect(parsed(...argv, ...run, ...migration, ...permissions, "in.json")).toMatchObject({
    cwd: "/p",
    reportRoot: "/p",
    configuration: {
      workspace: { working_dir: "/p", include_patterns: ["**/*.java", "*.xml"], exclude_patterns: ["a/**"] },
      tools: { max_tool_calls: 5 },
      permissions: { tool_permissions: { write_file: "allow", shell_command: "deny" } },
    },
    options: {
      auto_apply_safe_fixes: true,
      include_explanations: false,
      max_processing_time: 60,
    },
    context: {
      source_technology: "Java 8",
      target_technology: "Java 17",
      migration_hints: ["h1", "h2"],
      constraints: ["c"],
    },
  });
});

test("leaves out what is not given, so that the server's defaults hold", () => {
  const { configuration, options, context } = parsed("--socket", "s", "--cwd", "/p", "in.json");
  expect(configuration).toEqual({ workspace: { working_dir: "/p" }, tools: { max_tool_calls: 1_000 } });
  expect(options).toEqual({
    auto_apply_safe_fixes: false,
    include_explanations: true,
  });
  expect(context).toEqual({});
});

test.each([
  ["no file", ["--socket", "s"]],
  ["neither server nor socket", ["in.json"]],
  ["both", ["--socket", "s", "--server", "c", "in.json"]],
  ["an unknown permission", ["--socket", "s", "--permission", "write_file=maybe", "in.json"]],
  ["a time in letters", ["--socket", "s", "--max-time", "soon", "in.json"]],
])("is wrong with %s: 2", (_what, argv) => {
  expect(parseOptions(argv)).toBe(2);
});

test("--help names the exit codes: 0", () => {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(parseOptions(["--help"])).toBe(0);
  expect(out.mock.calls.join("")).toContain("Exit codes:");
});
