import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import type { Case } from "../../../../core/run/case.js";
import { defineCases, type ClientContext } from "../../client-role.js";
import { declares, inFolder, type Service, until } from "./services.js";

type Json = Record<string, unknown>;
/** Programs are started, on a machine that may be busy. */
const deadline = 60_000;

/** Uses the terminals of a client that declares them. */
async function withTerminals(t: ClientContext, use: (service: Service) => Promise<void>): Promise<void> {
  t.needs(await declares(t, "terminal"), "the client does not declare terminal");
  await inFolder(t, use);
}
/** Runs a script of Node. */
const run = (script: string, more: Json = {}): Json => ({
  command: process.execPath,
  args: ["-e", script],
  ...more,
});
/**
 * Says `begun`, warns, and ends with 3 once there is a file `go` in the service's folder, or the folder is gone. A
 * client that ignores `cwd` must not leave files elsewhere.
 */
const waiting = ({ root }: Service): string => `
  process.chdir(${JSON.stringify(root)});
  require("fs").writeFileSync("pid", String(process.pid));
  process.stdout.write("begun\\n");
  process.stderr.write("warned\\n");
  const is = require("fs").existsSync;
  const look = () => is("go") || !is("pid") ? process.exit(3) : setTimeout(look, 10);
  look();`;

/** The answers of a client about one terminal. */
async function open(service: Service, params: Json) {
  const { terminalId } = await service.ask("terminal/create", { cwd: service.root, ...params });
  const about = (action: string) => service.ask(`terminal/${action}`, { terminalId });
  return {
    id: terminalId,
    output: () => about("output"),
    exit: () => about("wait_for_exit"),
    kill: () => about("kill"),
    release: () => about("release"),
    gone: (action: string) => service.refused(`terminal/${action}`, { terminalId }),
  };
}
const begun = ({ output }: Json): boolean => String(output).includes("begun");
const go = ({ root }: Service): void => writeFileSync(join(root, "go"), "");
const exitCodeOf = (status: unknown): unknown => (isObject(status) ? status["exitCode"] : undefined);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const runCases: readonly Case[] = defineCases({
  "terminal.run": {
    title: "a command runs, and ends",
    emits: ["ACP-TERM-001", "ACP-TERM-002", "ACP-TERM-003"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const terminal = await t.require("ACP-TERM-001", open(service, run(waiting(service))));
        const first = await t.require("ACP-TERM-002", until(t, terminal.output, begun));
        t.check("ACP-TERM-002", !isObject(first["exitStatus"]), {
          message: "the command still runs",
          expected: "no exitStatus",
          actual: first,
        });
        t.check("ACP-TERM-002", first["truncated"] === false, { expected: "truncated: false", actual: first });
        let isOver = false;
        const over = t.require("ACP-TERM-003", terminal.exit()).then((status) => {
          t.check("ACP-TERM-003", isOver, { expected: "no answer while the command runs", actual: status });
          return status;
        });
        // A request that is sent behind it is answered before it.
        await t.require("ACP-TERM-002", terminal.output());
        isOver = true;
        go(service);
        const status = await over;
        t.check("ACP-TERM-003", status["exitCode"] === 3, { expected: "exitCode 3", actual: status });
        const ended = ({ exitStatus }: Json): boolean => isObject(exitStatus);
        const last = await t.require("ACP-TERM-002", until(t, terminal.output, ended));
        t.check("ACP-TERM-002", exitCodeOf(last["exitStatus"]) === 3, {
          message: "the command has ended",
          expected: "exitStatus with exitCode 3",
          actual: last,
        });
        const isWhole = begun(last) && String(last["output"]).includes("warned");
        t.check("ACP-TERM-002", isWhole, { expected: "both outputs of the command", actual: last });
        const again = await t.require("ACP-TERM-003", terminal.exit());
        t.check("ACP-TERM-003", again["exitCode"] === 3, { expected: "exitCode 3, as before", actual: again });
        await terminal.release();
      });
    },
  },
  "terminal.two": {
    title: "two terminals are open at once",
    emits: ["ACP-TERM-014"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const says = (text: string): Json => run(`console.log("${text}")`);
        const one = await open(service, says("first"));
        const other = await open(service, says("second"));
        t.check("ACP-TERM-014", one.id !== other.id, { expected: "two ids", actual: [one.id, other.id] });
        for (const [terminal, own, foreign] of [
          [one, "first", "second"],
          [other, "second", "first"],
        ] as const) {
          const { output } = await t.require(
            "ACP-TERM-014",
            until(t, terminal.output, (found) => String(found["output"]).includes(own)),
          );
          t.check("ACP-TERM-014", !String(output).includes(foreign), { expected: own, actual: output });
        }
        await one.release();
        await t.require("ACP-TERM-014", other.output());
        await other.release();
      });
    },
  },
  "terminal.command": {
    title: "a command gets its arguments, its environment and its folder",
    emits: ["ACP-TERM-004"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const script = "console.log(JSON.stringify([process.argv.slice(1), process.env.Conf_a, process.cwd()]))";
        const args = ["-e", script, "a b", "ü"];
        const env = [{ name: "Conf_a", value: "a=b" }];
        // A client may run in the session's folder what is to run in another one.
        const cwd = join(service.root, "inside");
        mkdirSync(cwd);
        const terminal = await t.require("ACP-TERM-004", open(service, { command: process.execPath, args, env, cwd }));
        await t.require("ACP-TERM-004", terminal.exit());
        const { output } = await t.require("ACP-TERM-004", terminal.output());
        const expected = JSON.stringify([["a b", "ü"], "a=b", realpathSync(cwd)]);
        t.check("ACP-TERM-004", String(output).includes(expected), { expected, actual: output });
        await terminal.release();
      });
    },
  },
  "terminal.limit": {
    title: "more output than outputByteLimit",
    emits: ["ACP-TERM-005", "ACP-TERM-006"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const script = `process.stdout.write("${"é".repeat(40)}z")`;
        // 41 characters in 81 bytes: one limit falls between two characters, the other into one.
        for (const limit of [10, 11, 200]) {
          const terminal = await t.require("ACP-TERM-005", open(service, run(script, { outputByteLimit: limit })));
          await t.require("ACP-TERM-005", terminal.exit());
          const found = await t.require("ACP-TERM-005", terminal.output());
          const output = String(found["output"]);
          const isCut = limit < 81;
          const kept = isCut ? output.length > 1 && output.endsWith("éz") : output === `${"é".repeat(40)}z`;
          t.check("ACP-TERM-005", kept && Buffer.byteLength(output) <= Math.max(limit, 3 * 81 * Number(!isCut)), {
            message: `outputByteLimit ${limit}`,
            expected: `the end of the output, of at most ${limit} bytes`,
            actual: found,
          });
          t.check("ACP-TERM-005", found["truncated"] === isCut, { expected: `truncated: ${isCut}`, actual: found });
          t.check("ACP-TERM-006", /^é*z?$/.test(output), { expected: "whole characters", actual: found });
          await terminal.release();
        }
      });
    },
  },
});

const endCases: readonly Case[] = defineCases({
  "terminal.kill": {
    title: "a command is killed, and its terminal is queried afterwards",
    emits: ["ACP-TERM-007"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const terminal = await open(service, run(waiting(service)));
        await until(t, terminal.output, begun);
        await t.require("ACP-TERM-007", terminal.kill());
        const status = await t.require("ACP-TERM-007", terminal.exit());
        t.check("ACP-TERM-007", status["exitCode"] !== 0, { expected: "the end of a killed command", actual: status });
        const last = await t.require("ACP-TERM-007", terminal.output());
        t.check("ACP-TERM-007", begun(last), { expected: "the output until then", actual: last });
        await terminal.release();
      });
    },
  },
  "terminal.release": {
    title: "a terminal is released while its command runs",
    emits: ["ACP-TERM-008", "ACP-TERM-009"],
    deadline,
    async run(t) {
      await withTerminals(t, async (service) => {
        const terminal = await open(service, run(waiting(service)));
        await until(t, terminal.output, begun);
        const pid = Number(readFileSync(join(service.root, "pid"), "utf8"));
        await t.require("ACP-TERM-008", terminal.release());
        await t.require(
          "ACP-TERM-008",
          until(
            t,
            async () => isAlive(pid),
            (alive) => !alive,
          ),
        );
        for (const action of ["output", "wait_for_exit", "kill", "release"])
          await t.require("ACP-TERM-009", terminal.gone(action));
      });
    },
  },
  "terminal.unadvertised": {
    title: "an agent starts a command although the client does not offer terminals",
    emits: ["ACP-TERM-010"],
    async run(t) {
      t.needs(!(await declares(t, "terminal")), "the client declares terminal");
      await inFolder(t, async ({ refused, root }) => {
        const started = `require("fs").writeFileSync("started", "")`;
        await t.require("ACP-TERM-010", refused("terminal/create", { ...run(started), cwd: root }));
        t.check("ACP-TERM-010", !existsSync(join(root, "started")), { expected: "no command", actual: "it ran" });
      });
    },
  },
});

/** Commands that the client runs for an agent. */
export const terminalCases: readonly Case[] = [...runCases, ...endCases];
