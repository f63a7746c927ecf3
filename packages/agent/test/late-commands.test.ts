// Most agents name their commands after they have answered `session/new`.
import type { AcpAgent, AcpAgentSession } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import { ecaPair } from "@editwire/eca/testing";
import { expect, it, onTestFinished } from "vitest";
import { fromAcp, toEca } from "../src/index.js";

it("shows an editor of ECA the commands of the far agent before the first prompt", async () => {
  const opened: AcpAgentSession[] = [];
  const far: AcpAgent = { prompt: async () => {}, newSession: (session) => void opened.push(session) };
  const agent = fromAcp(async (handlers) => (await acpPair(far, { client: handlers })).client);
  onTestFinished(() => agent.close());
  const { client } = await ecaPair(toEca(agent), { client: { workspaceFolders: [{ name: "p", uri: "file:///p" }] } });
  await expect.poll(() => opened).toHaveLength(1); // for what its sessions offer
  const availableCommands = [{ name: "review", description: "Review the changes" }];
  for (const session of opened) void session.update({ sessionUpdate: "available_commands_update", availableCommands });
  const commands = async (): Promise<unknown[]> =>
    (await client.connection.request("chat/queryCommands", { chatId: crypto.randomUUID(), query: "" })).commands;
  await expect.poll(commands).toMatchObject([{ name: "review" }]);
});
