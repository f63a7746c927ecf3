import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AcpClient, connectAcp } from "@editwire/acp";
import { ndjson } from "@editwire/framing";
import { nodeStreamTransport } from "@editwire/transport/node";
import { onTestFinished } from "vitest";
import { firstLine } from "../../../scripts/testing/lines.js";
import { agents, editwire } from "./commands.js";

/** An editor of ACP on a bridge to an agent of Helix-Zed, which dials the bridge. */
export async function editorOfHelixZedAgent(
  ...flags: readonly string[]
): Promise<{ client: AcpClient; agent: ChildProcess }> {
  const args = ["bridge", "--from", "acp", "--to", "helix-zed", "--agent", "ws://127.0.0.1:0", "--id", "ses_1"];
  const [command = "", ...rest] = editwire(...args, ...flags);
  const bridge = spawn(command, rest, { stdio: ["pipe", "pipe", "pipe"] });
  onTestFinished(() => stop(bridge, "SIGTERM"));
  const line = await firstLine(bridge.stderr);
  const [, url = ""] = /^editwire: the agent connects to (ws:\/\/127\.0\.0\.1:\d+)$/.exec(line) ?? [];
  const [program = "", ...words] = agents.helixZed(url);
  const agent = spawn(program, words, { stdio: "ignore" });
  onTestFinished(() => stop(agent, "SIGKILL"));
  const client = await connectAcp(nodeStreamTransport(bridge.stdout, bridge.stdin, ndjson()));
  onTestFinished(() => client.close());
  return { client, agent };
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, "exit");
  if (child.kill(signal)) await exited;
}
