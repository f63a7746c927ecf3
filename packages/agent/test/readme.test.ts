import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { agent, client } = await bundle(import.meta.url, { agent: "readme/agent.ts", client: "readme/client.ts" });

it("the README's agent and client print what the README says", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [client, process.execPath, agent]);
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`console\n${stdout}\`\`\``);
});
