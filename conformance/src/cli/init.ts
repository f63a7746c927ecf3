import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isObject } from "@editwire/core";
import { Command } from "commander";
import { stringify } from "yaml";
import { UsageError } from "../core/errors.js";
import type { ConformanceProtocol } from "../core/protocol.js";
import { suiteInfo } from "../core/registry/package-root.js";
import { runConformance } from "../core/run/run.js";
import { findProtocol } from "../protocols/all.js";
import { modelProvider, modelTarget } from "../targets/model-target.js";
import { readRecipe } from "../targets/recipe.js";
import { run } from "./run.js";
import { quoted } from "./self.js";

const RECIPE = "conformance.json";
const BASELINE = "conformance-baseline.yaml";
const WORKFLOW = ".github/workflows/conformance.yml";

/** The options of `init`. */
interface Flags {
  readonly role: string;
  readonly steer?: boolean | undefined;
  readonly force?: boolean | undefined;
}

/** `init <protocol> --role <role> [-- <command…>]` */
export function initCommand(exit: (code: number) => void): Command {
  return new Command("init")
    .description(
      "judges the program of this folder once, and writes what CI needs to judge it: a workflow, a baseline of what " +
        "fails today, and a recipe if its language model can be replaced by the scripted one",
    )
    .argument("<protocol>", "the protocol, such as acp")
    .argument("[command...]", "the command to start, after --; default: the first bin of package.json")
    .requiredOption("--role <role>", "the role of the program, such as agent")
    .option("--steer", "the command is an adapter that steers a client")
    .option("--force", "replaces files that are there")
    .action(async (name: string, words: string[], flags: Flags) => exit(await init(name, words, flags)));
}

async function init(name: string, words: readonly string[], flags: Flags): Promise<number> {
  const protocol = findProtocol(name);
  const { role, steer, force } = flags;
  const command = words.length > 0 ? words : ownCommand();
  const there = [RECIPE, BASELINE, WORKFLOW].filter((file) => existsSync(file));
  if (there.length > 0 && force !== true)
    throw new UsageError(`${there.join(", ")} would be replaced; --force does so`);
  process.stderr.write(`target: ${command.map(quoted).join(" ")}\n`);
  const hasModel = await takesModel(protocol, role, command);
  if (hasModel) write(RECIPE, recipeOf(command));
  else process.stderr.write("no recipe: no scripted model was asked for anything, so the target gets plain prompts\n");
  write(BASELINE, "version: 1\nentries: []\n");
  const code = await run(name, hasModel ? [] : command, {
    role,
    steer,
    behaviors: hasModel ? "model" : "none",
    ...(hasModel && { target: RECIPE }),
    timeScale: 1,
    basis: ["stated"],
    writeBaseline: BASELINE,
  });
  if (code === 0) write(WORKFLOW, workflowOf(protocol, command, { ...flags, hasModel }));
  return code;
}

/** The command that starts the first program of the package in this folder. */
function ownCommand(): string[] {
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync("package.json", "utf8"));
  } catch {
    manifest = undefined;
  }
  const bin = isObject(manifest) ? manifest["bin"] : undefined;
  const script = isObject(bin) ? Object.values(bin)[0] : bin;
  if (typeof script !== "string")
    throw new UsageError("expected a command after --, or a package.json with a bin in this folder");
  return ["node", script];
}

/** Whether a turn of the target asks the scripted model, whose address the usual variables hold. */
async function takesModel(protocol: ConformanceProtocol, role: string, command: readonly string[]): Promise<boolean> {
  const turn = protocol.cases.find(
    (one) => one.role === role && one.smoke === true && one.needs?.join() === "text" && one.plain === true,
  );
  if (turn === undefined || protocol.ws !== undefined) return false;
  const recipe = readRecipe("any");
  const { cases } = await runConformance({
    protocol,
    role,
    target: modelTarget(recipe, { argv: command }),
    behaviors: modelProvider(recipe),
    filter: [turn.id],
  });
  return cases.some(({ trace }) => trace.some(({ from }) => from === "model"));
}

function recipeOf(command: readonly string[]): string {
  const { env } = readRecipe("any");
  const comment = "How the target is started with a scripted model. Remove the variables that it does not read.";
  return `${JSON.stringify({ $comment: comment, command, env }, null, 2)}\n`;
}

function workflowOf(
  { name }: ConformanceProtocol,
  command: readonly string[],
  { role, steer, hasModel }: Flags & { readonly hasModel: boolean },
): string {
  const judge = {
    uses: `editwire/editwire/conformance@conformance-v${suiteInfo().version}`,
    with: {
      protocol: name,
      role,
      ...(hasModel ? { target: RECIPE } : { command: command.map(quoted).join(" ") }),
      ...(steer === true && { arguments: "--steer" }),
      baseline: BASELINE,
    },
  };
  const ofNode = [
    { uses: "actions/setup-node@v4", with: { "node-version": 22 } },
    { run: existsSync("package-lock.json") ? "npm ci" : "npm install" },
    { run: "npm run build --if-present" },
  ];
  const steps = [{ uses: "actions/checkout@v4" }, ...(existsSync("package.json") ? ofNode : []), judge];
  const jobs = { conformance: { "runs-on": "ubuntu-latest", steps } };
  return stringify({ name: "Conformance", on: ["push", "pull_request"], jobs }, { lineWidth: 0 });
}

function write(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  process.stderr.write(`wrote ${file}\n`);
}
