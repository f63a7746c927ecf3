import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acp, stdioTarget } from "../../src/index.js";
import { type Judged, opens } from "./judged.js";

const PYTHON_SDK = "agent-client-protocol==0.12.1";
const GO_AGENT = "github.com/coder/acp-go-sdk/example/agent@v0.13.0";
const FETCH_MS = 300_000;

/** Agents on the SDKs of others, made in a folder. They speak the official version 1. */
export function realTargets(folder: string): Judged[] {
  const options = { profile: "v1", jobs: 8 } as const;
  const agent = { protocol: acp, role: "agent" } as const;
  const python = pythonAgent(join(folder, "python"));
  const go = goAgent(folder);
  return [
    {
      ...agent,
      name: "an agent on the Python SDK",
      baseline: "acp-agent-python-sdk.yaml",
      options: { ...options, behaviors: { mode: "commands", names: ["text", "chunks", "slow", "refuse"], say } },
      ...python,
    },
    { ...agent, name: "the Go SDK's example agent", baseline: "acp-agent-go-sdk.yaml", options, ...go },
  ];
}

type Made = Pick<Judged, "open" | "skip">;

const say = (name: string, args: Record<string, unknown>): string => `conf:${name} ${JSON.stringify(args)}`;

function pythonAgent(folder: string): Made {
  const python = join(folder, process.platform === "win32" ? "Scripts/python.exe" : "bin/python");
  const skip = run("python3", ["-m", "venv", folder]) ?? run(python, ["-m", "pip", "install", "--quiet", PYTHON_SDK]);
  const program = fileURLToPath(new URL("../../test/fixtures/python-sdk/agent.py", import.meta.url));
  return { skip, open: opens(stdioTarget({ argv: [python, program] })) };
}

function goAgent(folder: string): Made {
  const skip = run("go", ["install", GO_AGENT], { GOBIN: folder, GOFLAGS: "-mod=mod" });
  return { skip, open: opens(stdioTarget({ argv: [join(folder, "agent")] })) };
}

/** Runs a command of a toolchain. Gives why it did not work, in one line. */
function run(command: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string | undefined {
  const { status, error, stderr } = spawnSync(command, args, {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: FETCH_MS,
  });
  if (error !== undefined) return `needs ${command}: ${error.message}`;
  return status === 0 ? undefined : `${command} ${args[0]} failed: ${stderr.trim().split("\n").at(-1) ?? ""}`;
}
