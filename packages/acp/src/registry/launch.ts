import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type {
  AgentRegistry,
  BinaryDistribution,
  PackageDistribution,
  RegistryAgent,
} from "@editwire/acp-schema/registry";
import { WireError } from "@editwire/core";
import { installed } from "./install.js";
import { similarTo } from "./similar.js";

/** The ways to get an agent that are known here. */
export type AgentSource = "npx" | "uvx" | "binary";

/** How the command of an agent is found. */
export interface AgentCommandOptions {
  /** Which ways may be taken, the best one first. Default: `npx`, `uvx`, `binary`; `uvx` last if it is not in PATH. */
  prefer?: readonly AgentSource[] | undefined;
  /** The folder of downloaded programs. Default: `editwire/agents` in the user's folder for caches. */
  folder?: string | undefined;
  /** Bytes of an archive, and of what it holds. Default 1 GiB. */
  maxDownloadBytes?: number | undefined;
  /** Milliseconds until the server of an archive answers. Default 30,000. */
  downloadTimeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** How an agent is started. */
export interface AgentCommand {
  readonly source: AgentSource;
  readonly argv: readonly [string, ...string[]];
  /** Environment variables to add. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The command of an agent of a registry, for this machine. A program that is downloaded is installed first, unless its
 * version is here. Throws `WireError("invalid_params")` for an id that the registry lacks, for an entry that was left
 * out, and for an agent that this machine cannot run; `"not_connected"`, `"too_large"`, `"invalid_result"` and
 * `"aborted"` for an archive that cannot be fetched, is too large, or is not what the registry says.
 */
export async function agentCommand(
  id: string,
  registry: AgentRegistry,
  options: AgentCommandOptions = {},
): Promise<AgentCommand> {
  const agent = agentOf(id, registry);
  const { npx, uvx } = agent.distribution;
  const binary = binaryOf(agent);
  const ways = { npx, uvx, binary };
  const source = (options.prefer ?? defaultOrder()).find((each) => ways[each] !== undefined);
  if (source === "npx" && npx !== undefined) return fromPackage("npx", ["npx", "-y"], "--package", npx);
  if (source === "uvx" && uvx !== undefined) return fromPackage("uvx", ["uvx"], "--from", uvx);
  if (source === "binary" && binary !== undefined) return fromBinary(agent, binary, options);
  throw new WireError("invalid_params", `${id} does not run here, on ${platform}: it is ${offered(agent)}`);
}

function defaultOrder(): readonly AgentSource[] {
  return isOnPath("uvx") ? ["npx", "uvx", "binary"] : ["npx", "binary", "uvx"];
}

function agentOf(id: string, { agents, leftOut }: AgentRegistry): RegistryAgent {
  const agent = agents.find((each) => each.id === id);
  if (agent !== undefined) return agent;
  const broken = leftOut.find((each) => each.id === id);
  if (broken !== undefined)
    throw new WireError("invalid_params", `the registry's entry of ${id} does not fit: ${broken.reason}`);
  const similar = similarTo(
    id,
    agents.map((each) => each.id),
  );
  const hint = similar.length === 0 ? "" : `; did you mean ${similar.join(" or ")}?`;
  throw new WireError("invalid_params", `the registry has no agent ${JSON.stringify(id)}${hint}`);
}

function fromPackage(
  source: "npx" | "uvx",
  runner: readonly [string, ...string[]],
  flag: string,
  { package: name, cmd, args = [], env = {} }: PackageDistribution,
): AgentCommand {
  const what = cmd === undefined ? [name] : [flag, name, cmd];
  return { source, argv: [...runner, ...what, ...args], env };
}

async function fromBinary(
  { id, version }: RegistryAgent,
  binary: BinaryDistribution,
  { folder = defaultFolder(), maxDownloadBytes = 1024 ** 3, downloadTimeoutMs = 30_000, signal }: AgentCommandOptions,
): Promise<AgentCommand> {
  const place = join(folder, id, `${version}-${platform}`);
  const limits = { maxBytes: maxDownloadBytes, timeoutMs: downloadTimeoutMs, signal };
  const program = await installed({ id, binary, folder: place, ...limits });
  return { source: "binary", argv: [program, ...(binary.args ?? [])], env: binary.env ?? {} };
}

const systems: Readonly<Record<string, string>> = { win32: "windows" };
const processors: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
/** This machine, in the words of the registry. */
const platform = `${systems[process.platform] ?? process.platform}-${processors[process.arch] ?? process.arch}`;

function binaryOf({ distribution: { binary = {} } }: RegistryAgent): BinaryDistribution | undefined {
  return Object.hasOwn(binary, platform) ? binary[platform] : undefined;
}

/** The ways to get an agent, for a message. */
function offered({ distribution: { binary, ...others } }: RegistryAgent): string {
  const ways = Object.keys(others).filter((each) => others[each] !== undefined);
  const platforms = Object.keys(binary ?? {});
  const all = [...ways, ...(platforms.length === 0 ? [] : [`a program for ${platforms.join(", ")}`])];
  return all.length === 0 ? "offered in no way" : `offered as ${all.join("; ")}`;
}

function isOnPath(name: string): boolean {
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((each) => each !== "");
  return folders.some((folder) => endings.some((ending) => isProgram(join(folder, `${name}${ending}`))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function defaultFolder(): string {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const byPlatform: Readonly<Record<string, string>> = {
    win32: LOCALAPPDATA ?? join(homedir(), "AppData", "Local"),
    darwin: join(homedir(), "Library", "Caches"),
  };
  return join(byPlatform[process.platform] ?? XDG_CACHE_HOME ?? join(homedir(), ".cache"), "editwire", "agents");
}
