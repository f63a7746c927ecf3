import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acp, stdioTarget } from "../../src/index.js";
import { type Judged, opens } from "./judged.js";

const PYTHON_SDK = "agent-client-protocol==0.12.1";
export const GO_MODULE = "github.com/coder/acp-go-sdk@v0.13.0";
const GO_AGENT = GO_MODULE.replace("@", "/example/agent@");
const RUST_CRATE = "agent-client-protocol@5.0.0";
const FETCH_MS = 300_000;
/** The crate and what it needs are compiled. */
const COMPILE_MS = 1_800_000;

/** Programs on the SDK of another language, as command lines. */
interface Made {
  /** Why there are none. */
  readonly skip: string | undefined;
  readonly agent: readonly string[];
  readonly client: readonly string[];
}

/** The programs of all languages. The client on the Go SDK is made with the turns that it has. */
export interface RealPrograms {
  readonly python: Made;
  readonly go: Made;
  readonly rust: Made;
}

/** Makes programs on the SDKs of others in a folder; with names of languages, only those. */
export function makePrograms(folder: string, languages: readonly string[]): RealPrograms {
  const made = (language: string, make: () => Made): Made =>
    languages.length === 0 || languages.includes(language) ? make() : { skip: "not asked for", agent: [], client: [] };
  return {
    python: made("python", () => inPython(join(folder, "python"))),
    go: made("go", () => inGo(folder)),
    rust: made("rust", () => inRust(join(folder, "rust"))),
  };
}

/** The agents among them. They speak the official version 1. */
export function realTargets({ python, go, rust }: RealPrograms): Judged[] {
  const options = { profile: "v1", jobs: 8 } as const;
  const judged = ({ skip, agent: argv }: Made) =>
    ({ protocol: acp, role: "agent", options, skip, open: opens(stdioTarget({ argv })) }) as const;
  const behaviors = { mode: "commands", names: ["text", "chunks", "recall", "slow", "refuse"], say } as const;
  return [
    {
      ...judged(python),
      name: "an agent on the Python SDK",
      baseline: "acp-agent-python-sdk.yaml",
      options: { ...options, behaviors },
    },
    { ...judged(go), name: "the Go SDK's example agent", baseline: "acp-agent-go-sdk.yaml" },
    { ...judged(rust), name: "the Rust SDK's example agent", baseline: "acp-agent-rust-sdk.yaml" },
  ];
}

const say = (name: string, args: Record<string, unknown>): string => `conf:${name} ${JSON.stringify(args)}`;

function inPython(folder: string): Made {
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const skip = run("python3", ["-m", "venv", folder]) ?? run(python, ["-m", "pip", "install", "--quiet", PYTHON_SDK]);
  const program = (name: string): string[] => [
    python,
    fileURLToPath(new URL(`../../test/fixtures/python-sdk/${name}.py`, import.meta.url)),
  ];
  return { skip, agent: program("agent"), client: program("client") };
}

function inGo(folder: string): Made {
  const skip = run("go", ["install", GO_AGENT], { GOBIN: folder, GOFLAGS: "-mod=mod" });
  return { skip, agent: [join(folder, "agent")], client: [] };
}

function inRust(folder: string): Made {
  const names = ["simple_agent", "yolo_one_shot_client"];
  const examples = names.flatMap((name) => ["--example", name]);
  const built = [...examples, "--features", "stdio,process", "--root", folder, "--target-dir", join(folder, "target")];
  const skip = run("cargo", ["install", RUST_CRATE, ...built], {}, COMPILE_MS);
  const [agent = [], client = []] = names.map((name) => [join(folder, "bin", name)]);
  return { skip, agent, client };
}

/** Runs a command of a toolchain. Gives why it did not work, in one line. */
export function run(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  timeout = FETCH_MS,
): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout,
  });
  if (error !== undefined) return `needs ${command}: ${error.message}`;
  return status === 0 ? undefined : `${command} ${args[0]} failed: ${stderr.trim().split("\n").at(-1) ?? ""}`;
}
