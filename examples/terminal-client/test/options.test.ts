import { acpProfiles } from "@editwire/acp-schema";
import { afterEach, expect, test, vi } from "vitest";
import { parseOptions } from "../src/options.js";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("options come first, the agent's command keeps its own", () => {
  const options = parseOptions([
    "--cwd",
    "/work",
    "--profile",
    "v1",
    "--yes",
    "--prompt",
    "Fix it",
    "--",
    "agent",
    "acp",
    "--yes",
    "--",
    "x",
  ]);
  const expected = {
    command: ["agent", "acp", "--yes", "--", "x"],
    cwd: "/work",
    profile: acpProfiles.v1,
    yes: true,
    prompt: "Fix it",
    framing: "ndjson",
  };
  expect(options).toMatchObject(expected);
});

test("the two dashes may be left out", () => {
  const options = parseOptions(["--verbose", "agent", "--framing", "x"]);
  expect(options).toMatchObject({
    command: ["agent", "--framing", "x"],
    verbose: true,
    yes: false,
    cwd: process.cwd(),
  });
});

test("an agent may be named by its URL, with a token from the environment or the command line", () => {
  vi.stubEnv("ACP_TOKEN", "from-env");
  expect(parseOptions(["--url", "http://localhost:9000"])).toMatchObject({
    url: "http://localhost:9000",
    token: "from-env",
    command: [],
  });
  expect(parseOptions(["--url", "http://localhost:9000", "--token", "t"])).toMatchObject({ token: "t" });
});

test("mistakes are 2, help is 0", () => {
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  expect(parseOptions([])).toBe(2);
  expect(parseOptions(["--url", "http://localhost:9000", "agent"])).toBe(2);
  expect(parseOptions(["--framing", "morse", "agent"])).toBe(2);
  expect(stderr).toHaveBeenCalledWith(expect.stringContaining("morse"));
  expect(parseOptions(["--help"])).toBe(0);
  expect(stdout).toHaveBeenCalledWith(expect.stringContaining("130"));
});

test("settings are pairs of an id and a value", () => {
  const settings = [
    { id: "model", value: "a=b" },
    { id: "fast", value: "on" },
  ];
  expect(parseOptions(["--set", "model=a=b", "--set", "fast=on", "agent"])).toMatchObject({ settings });
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(parseOptions(["--set", "model", "agent"])).toBe(2);
});
