import { once } from "node:events";
import spawn from "cross-spawn";
import { Command } from "commander";
import { UsageError } from "../core/errors.js";
import type { Mutant } from "../core/mutant.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import type { OnChange } from "../mutants/changes.js";
import { exitCodeOf, forwardSignals, standBetween } from "../mutants/man-in-the-middle.js";
import { referenceOf } from "../mutants/references.js";
import { type Between, type Rewriter, rewriterOf } from "../mutants/rewriter.js";
import { listenBetween, type WsMiddleOptions } from "../mutants/ws-man-in-the-middle.js";
import { findProtocol } from "../protocols/all.js";

interface Flags {
  role?: string;
  mutant?: string;
  list?: boolean;
  connect?: string;
  port?: string;
}

/** `mutate <protocol> --role <role> --mutant <id> -- <command…>`: breaks a program in one point. */
export function mutateCommand(exit: (code: number) => void): Command {
  return new Command("mutate")
    .description(
      "stands between a program and its peer, on stdin and stdout or on a WebSocket, and breaks what one of " +
        "them sends in one point; use it to test your own test suite, client or agent",
    )
    .argument("<protocol>", "the protocol, such as acp")
    .argument(
      "[command...]",
      "the program to start, after --; with the role client, the agent that the client starts; with --connect, a " +
        "program that dials {middle} or $CONFORMANCE_URL",
    )
    .option("--role <role>", "the role that is broken, such as agent")
    .option("--mutant <id>", "the mutant; the part after the / is enough")
    .option("--list", "lists the mutants that break any program, with the requirements that they violate")
    .option("--connect <url>", "the ws:// or wss:// URL of the program that listens; prints the URL to dial instead")
    .option("--port <port>", "with --connect: the port to listen on (default: a free one)")
    .action(async (name: string, command: string[], flags: Flags) => {
      const protocol = findProtocol(name);
      if (flags.list === true) return list(protocol, flags);
      exit(await mutate(protocol, command, flags));
    });
}

/** The layer that a middle uses: protocols over WebSockets have only one. */
function betweenOf(protocol: ConformanceProtocol, { connect }: Flags): Between {
  return connect !== undefined || protocol.ws !== undefined ? "ws" : "bytes";
}

/** The mutants of a role that are rewriters of messages. */
function offered(protocol: ConformanceProtocol, role: string, between: Between): Mutant[] {
  const reference = referenceOf(protocol, role);
  return protocol.mutants.filter(
    (one) => one.role === role && rewriterOf(one, reference, protocol.envelope, between) !== undefined,
  );
}

function list(protocol: ConformanceProtocol, flags: Flags): void {
  for (const one of flags.role === undefined ? Object.keys(protocol.reference) : [flags.role])
    for (const { id, violates } of offered(protocol, one, betweenOf(protocol, flags)))
      process.stdout.write(`${id}  [${violates.join(", ")}]\n`);
}

async function mutate(protocol: ConformanceProtocol, argv: readonly string[], flags: Flags): Promise<number> {
  const { role, mutant: id, connect } = flags;
  const between = betweenOf(protocol, flags);
  if (between === "ws" && connect === undefined)
    throw new UsageError(
      `${protocol.name} runs over WebSockets: expected --connect with the URL of the program that listens`,
    );
  if (role === undefined || id === undefined || (argv.length === 0 && connect === undefined))
    throw new UsageError("expected --role, --mutant and a command after -- or --connect; --list shows the mutants");
  const mutant = protocol.mutants.find((one) => one.role === role && (one.id === id || one.id.endsWith(`/${id}`)));
  if (mutant === undefined)
    throw new UsageError(`expected a mutant of the ${role} of ${protocol.name}, received "${id}"`);
  const make = (): Rewriter => {
    const rewriter = rewriterOf(mutant, referenceOf(protocol, role), protocol.envelope, between);
    if (rewriter !== undefined) return rewriter;
    throw new UsageError(
      `${mutant.id} changes a decision that only the reference makes; --list shows the mutants that break any program`,
    );
  };
  const rewriter = make();
  const suite = protocol.roles[role];
  const report = (text: string): void => void process.stderr.write(`${mutant.id}: ${text}\n`);
  for (const req of mutant.violates) report(`breaks ${req}: ${protocol.registry().byId.get(req)?.text ?? ""}`);
  const onChange: OnChange = (number, before, after) =>
    report(`changed message ${number}\n  from ${excerpt(before)}\n  to   ${after.map(excerpt).join("\n       ")}`);
  const { code, messages, changed } =
    connect === undefined
      ? await standBetween({
          argv,
          breaks: suite?.steered === true ? "peer" : "program",
          rewriter,
          stdin: process.stdin,
          stdout: process.stdout,
          onChange,
        }).catch((error: Error) => {
          throw new UsageError(`cannot start \`${argv.join(" ")}\`: ${error.message}`);
        })
      : await onWebSockets(flags, argv, {
          breaks: suite?.socket ?? (suite?.steered === true ? "dials" : "listens"),
          rewriter: make,
          onChange,
        });
  report(`changed ${changed} of ${messages} messages`);
  return code;
}

const EXCERPT = 300;
const excerpt = (text: string): string => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);

/** Until the command ends; without one, until a signal ends this process. */
async function onWebSockets(
  { connect = "", port }: Flags,
  argv: readonly string[],
  middleOptions: Pick<WsMiddleOptions, "breaks" | "rewriter" | "onChange">,
): Promise<{ readonly code: number; readonly messages: number; readonly changed: number }> {
  if (!/^wss?:$/.test(URL.canParse(connect) ? new URL(connect).protocol : ""))
    throw new UsageError(`--connect: expected a URL that begins with ws:// or wss://, received "${connect}"`);
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new UsageError(`--port: expected a number from 0 to 65535, received "${port}"`);
  const middle = await listenBetween({ ...middleOptions, connect, port: Number(port ?? 0) });
  if (argv.length === 0) process.stdout.write(`${middle.url}\n`);
  const code = argv.length === 0 ? await interrupted() : await runDialer(argv, middle.url);
  await middle.close();
  return { code, messages: middle.changes.messages, changed: middle.changes.changed };
}

async function interrupted(): Promise<number> {
  const signals = ["SIGINT", "SIGTERM"].map((signal) => once(process, signal));
  await Promise.race(signals);
  return 0;
}

/** Runs a program that dials, on this process's stdin and stdout. Gives its exit code. */
function runDialer(argv: readonly string[], url: string): Promise<number> {
  const [command = "", ...args] = argv.map((part) => part.replaceAll("{middle}", url));
  const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, CONFORMANCE_URL: url } });
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new UsageError(`cannot start \`${argv.join(" ")}\`: ${error.message}`)));
    child.once("close", (code, signal) => {
      stopForwarding();
      resolve(exitCodeOf(code, signal));
    });
  });
}
