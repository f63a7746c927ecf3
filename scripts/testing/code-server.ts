import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lineWith } from "./lines.js";

const cache = fileURLToPath(new URL("../../.cache/code-server/", import.meta.url));

/**
 * Where code-server is. Undefined when it is not installed; one line on stderr then names the tests that are skipped.
 */
export function findCodeServer(tests: string): string | undefined {
  if (existsSync(join(cache, "installed"))) return join(cache, "node_modules/code-server/out/node/entry.js");
  process.stderr.write(`skipping ${tests}: no code-server; scripts/ensure-code-server.sh installs it\n`);
  return undefined;
}

/** A running code-server. */
export interface CodeServer {
  /** Where a browser opens it, on the loopback address. */
  readonly url: string;
  /** Ends it and all that it started. Resolves when it has exited. */
  close(): Promise<void>;
}

/** Starts VS Code for a browser. `home` gets its settings and state, and holds `extensions`, a folder an extension. */
export async function startCodeServer(entry: string, home: string, project: string): Promise<CodeServer> {
  const folders = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
  const quiet = ["--disable-telemetry", "--disable-update-check", "--disable-workspace-trust"];
  const listen = ["--auth", "none", "--bind-addr", "127.0.0.1:0", "--config", join(home, "config.yaml")];
  const child = spawn(process.execPath, [entry, ...listen, ...folders, ...quiet, project], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: "" }) },
  });
  const exited = once(child, "exit");
  const line = await lineWith(child.stdout, /listening on http:/);
  return {
    url: /http:\S+/.exec(line)?.[0] ?? "",
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await exited;
    },
  };
}
