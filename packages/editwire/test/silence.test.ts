import { tmpdir } from "node:os";
import { spawnAcp } from "@editwire/acp/node";
import { spawnEca } from "@editwire/eca/node";
import { spawnKaiak } from "@editwire/kaiak/node";
import { expect, it } from "vitest";
import { agents, editwire } from "./commands.js";

type OnStderr = (text: string) => void;

/** One turn of an editor that works, from its beginning to its end. */
const editors: Record<string, (command: string[], onStderr: OnStderr) => Promise<unknown>> = {
  async acp(command, onStderr) {
    const client = await spawnAcp(command, { onStderr, permission: async () => "allow_once" });
    const session = await client.newSession({ cwd: "/p" });
    const stop = await session.prompt("say edit").stopReason;
    await client.close();
    return stop;
  },
  async eca(command, onStderr) {
    const client = await spawnEca(command, { onStderr, permission: async () => "allow_once" });
    const stop = await client.newSession().prompt("say edit").stopReason;
    await client.close();
    return stop;
  },
  async kaiak(command, onStderr) {
    const client = await spawnKaiak(command, { onStderr, question: async () => "approve" });
    await client.configure({ workspace: { working_dir: tmpdir() } });
    const stop = await client.newSession().prompt([{ id: "1", rule_id: "r", message: "say edit" }]).stopReason;
    await client.close();
    return stop;
  },
};

const pairs = Object.keys(editors).flatMap((from) => (["acp", "eca"] as const).map((to) => [from, to] as const));

it.each(pairs)("from %s to %s, a bridge writes nothing to stderr when all is well", async (from, to) => {
  let stderr = "";
  const command = editwire("bridge", "--from", from, "--to", to, "--", ...agents[to]);
  expect(await editors[from]?.(command, (text) => (stderr += text))).toBe("end_turn");
  expect(stderr).toBe("");
});
