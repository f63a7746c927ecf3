import { join } from "node:path";
import { ecaSocket, kaiakSocket, type PartOptions } from "../messages.js";

/** The coding agent, on every protocol at once, with the tools of the IDE. It keeps its sessions in files. */
export async function runAgent(options: PartOptions): Promise<void> {
  const { project, folder, hostPort, acpPort, idePort, token } = options;
  const fronts = [
    ...["--acp", String(acpPort), "--eca", ecaSocket(options), "--kaiak", kaiakSocket(options)],
    ...["--helix-zed", `http://127.0.0.1:${hostPort}`, "--cwd", project],
  ];
  const more = ["--ide-port", String(idePort), "--store", join(folder, "sessions"), "--token", token];
  const pace = process.env["DEMO_CHUNK_DELAY"] ?? "0";
  process.argv.splice(2, Number.POSITIVE_INFINITY, "serve", "--verbose", ...fronts, ...more, "--chunk-delay", pace);
  await import("@editwire/example-coding-agent/main");
}
