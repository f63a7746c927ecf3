import { readFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { benchFolder } from "./build.js";

/** Where and with what a run took place. */
export interface Machine {
  readonly date: string;
  readonly node: string;
  readonly system: string;
  readonly processor: string;
  readonly memoryGb: number;
  /** Of the last minute, before the run. Well above zero, it was not alone. */
  readonly load: number;
  readonly versions: Readonly<Record<string, string>>;
}

const compared = [
  "@agentclientprotocol/sdk",
  "vscode-jsonrpc",
  "@modelcontextprotocol/sdk",
  "json-rpc-2.0",
  "ws",
  "zod",
];

/** Describes this machine and the versions that are compared. */
export function describeMachine(): Machine {
  const [processor] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    system: `${platform()} ${release()} ${arch()}`,
    processor: `${cpus().length} × ${processor?.model.trim() ?? "unknown"}`,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    versions: Object.fromEntries(compared.map((name) => [name, versionOf(name)])),
  };
}

/** The same in a sentence. */
export function machineLine({ date, node, system, processor, memoryGb, load, versions }: Machine): string {
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${date}, Node ${node}, ${system}, ${processor}, ${memoryGb} GB, load ${load}; ${list.join(", ")}`;
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(join(benchFolder, "node_modules", name, "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
