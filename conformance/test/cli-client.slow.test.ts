import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { bin, unsteered } from "./programs.js";

const LIMIT_MS = 60_000;

function start(...args: string[]) {
  const [command, ...rest] = bin;
  const child = spawn(command, [...rest, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (output.stderr += String(chunk)));
  const done = once(child, "close").then(([status]) => ({ status: status as number, ...output }));
  return { child, output, done };
}

const run = (...args: string[]) => start("run", "acp", "--role", "client", "--seed", "1", ...args).done;
const reference = [...bin, "reference", "acp", "--role", "client"];

describe("P18: conformance run --role client", () => {
  test(
    "steers the reference client in a process of its own",
    async () => {
      const { status, stdout } = await run(
        "--steer",
        "--filter",
        "acp.client.session.new",
        "acp.client.cancel.*",
        "--jobs",
        "1",
        "--",
        ...reference,
      );
      expect(stdout).toContain("conformance-reference 1.0.0");
      expect(status).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    "finds what is wrong with a broken one, and says how to repeat it",
    async () => {
      const { status, stdout } = await run(
        "--steer",
        "--over",
        "http",
        "--filter",
        "acp.client.cancel.notification",
        "--",
        ...reference,
        "--mutant",
        "acp.client/cancel-as-request",
      );
      expect(stdout).toContain("ACP-CANCEL-006");
      expect(stdout).toContain("--steer --over http");
      expect(status).toBe(1);
    },
    LIMIT_MS,
  );

  test(
    "refuses a way that there is not",
    async () => {
      const { status, stderr } = await run("--over", "pigeon", "--", "editor");
      expect(stderr).toContain("argument 'pigeon' is invalid. Allowed choices are stdio, http, streamable, ws");
      expect(status).toBe(2);
    },
    LIMIT_MS,
  );

  test(
    "watches a client that somebody else starts",
    async () => {
      const { child, output, done } = start("run", "acp", "--role", "client", "--watch");
      const announced = new Promise<string>((resolve) => {
        child.stderr.on("data", () => {
          const found = /the agent to start: (.*)\n/.exec(output.stderr);
          if (found?.[1] !== undefined) resolve(found[1]);
        });
      });
      const [command, ...args] = unsteered;
      spawn(command, [...args, await announced], { env: { ...process.env, LEAVES: "1" }, stdio: "ignore" });
      const { status, stdout } = await done;
      expect(stdout).toContain("a client that was started by hand");
      expect(status).toBe(0);
    },
    LIMIT_MS,
  );
});
