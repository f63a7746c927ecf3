import { readRegistry, spawnAgent } from "@editwire/acp/node";

const [from = "registry.json", id] = process.argv.slice(2);
const registry = await readRegistry(from, { cacheFile: ".cache/registry.json" });
for (const agent of registry.agents) console.log(`${agent.id}: ${agent.name} ${agent.version}`);
for (const { reason } of registry.leftOut) console.error(`left out: ${reason}`);

if (id !== undefined) {
  const agent = await spawnAgent(id, { registry });
  console.log("runs as", agent.info.agentInfo);
  await agent.close();
}
