// Every way into every binding names itself and what it expected when JavaScript gives it something else.
import * as acp from "@editwire/acp";
import * as acpNode from "@editwire/acp/node";
import * as eca from "@editwire/eca";
import * as ecaNode from "@editwire/eca/node";
import * as helixZed from "@editwire/helix-zed";
import * as helixZedNode from "@editwire/helix-zed/node";
import * as kaiak from "@editwire/kaiak";
import * as kaiakNode from "@editwire/kaiak/node";
import * as sman from "@editwire/sman";
import * as smanNode from "@editwire/sman/node";
import { memoryPair } from "@editwire/transport";
import { expect, it } from "vitest";

type Way = (...args: unknown[]) => unknown;

const entries = [acp, acpNode, eca, ecaNode, helixZed, helixZedNode, kaiak, kaiakNode, sman, smanNode];
const named =
  /^((connect|spawn|serve|listen|dial)[A-Z]|create(HelixZed|Sman)[A-Z])|^(?!use|question|permission).*Handler$/;
const ways = Object.fromEntries(
  entries.flatMap((entry) => Object.entries<unknown>(entry)).filter(([name]) => named.test(name)),
) as Record<string, Way>;

const transport = (): unknown => memoryPair()[0];
const agent = { prompt: async () => {} };
const fixer = { prompt: async () => {} };
const plugin = { tools: {} };
const site = { sessionId: "s", projectKey: "p", url: "ws://127.0.0.1:1", dial: () => new Promise(() => {}) };
const argv = [process.execPath, "--version"];
const url = "http://127.0.0.1:1";

/** Arguments that each way takes; the last are its options. */
const right: Record<string, () => unknown[]> = {
  ...each("connectAcp connectEca connectKaiak", () => [transport(), {}]),
  ...each("serveAcp serveEca", () => [transport(), agent, {}]),
  serveKaiak: () => [transport(), fixer, {}],
  ...each("spawnAcp spawnEca spawnKaiak", () => [argv, {}]),
  spawnAgent: () => ["my-agent", { registry: { agents: [], leftOut: [] } }],
  ...each("serveAcpStdio serveEcaStdio", () => [agent, {}]),
  serveKaiakStdio: () => [fixer, {}],
  ...each("acpHandler listenAcp", () => [agent, {}]),
  dialAcp: () => [url, {}],
  ...each("dialEca dialKaiak", () => ["/no/such/socket", {}]),
  listenKaiak: () => [fixer, { path: "/no/such/folder/socket" }],
  listenEca: () => [() => agent, { path: "/no/such/folder/socket" }],
  ...each("createHelixZedAgent dialHelixZed", () => [agent, site]),
  ...each("createHelixZedHost helixZedHandler listenHelixZed", () => [{}]),
  ...each("createSmanPlugin dialSman listenSmanPlugin", () => [plugin, site]),
  ...each("createSmanBackend smanHandler listenSman", () => [{}]),
};

function each(names: string, args: () => unknown[]): Record<string, () => unknown[]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, args]));
}

it("knows every way in", () => {
  expect(Object.keys(right).sort()).toEqual(Object.keys(ways).sort());
});

it.each(Object.entries(right))("%s names itself and the argument", async (name, args) => {
  for (const index of args().keys()) {
    for (const wrong of [5, "", null, [], () => {}]) {
      if (name === "listenEca" && index === 0 && typeof wrong === "function") continue; // it makes servers
      const given = args().with(index, wrong);
      const message = `^${name}: expected (the |an? (command|http|ws)|options|path|make)`;
      await expect(calling(name, given), `argument ${index + 1}: ${String(wrong)}`).rejects.toThrow(
        expect.objectContaining({ name: "TypeError", message: expect.stringMatching(message) as string }),
      );
    }
  }
});

const options = { timeoutMs: "5s", onError: "log", strict: "yes", profile: "v1", maxCalls: -1, fs: 5 };
const listening = { port: "80", host: 5, token: 5, hosts: "x", origins: "x", authenticate: "x", maxConnections: "x" };
const dialing = { token: 5, path: 5 };

it.each(Object.entries(right))("%s names itself and the option", async (name, args) => {
  const more = /^listen(Eca|Kaiak)/.test(name) ? {} : name.startsWith("listen") ? listening : {};
  const wrong = { ...options, ...more, ...(/^dial(?!Eca|Kaiak)/.test(name) ? dialing : {}) };
  for (const [key, value] of Object.entries(wrong)) {
    const given = args();
    given.push({ ...(given.pop() as object), [key]: value });
    await expect(calling(name, given), key).rejects.toThrow(new RegExp(`^${name}: expected ${key} to be `));
  }
});

async function calling(name: string, args: unknown[]): Promise<unknown> {
  return ways[name]?.(...args);
}
