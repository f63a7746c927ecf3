import { createRequire } from "node:module";
import { join } from "node:path";
import {
  acp,
  httpSeat,
  httpTarget,
  launchTarget,
  stdioTarget,
  streamableSeat,
  streamableTarget,
  wsSeat,
  wsTarget,
} from "../../src/index.js";
import { modelTarget, modelProvider } from "../../src/targets/model-target.js";
import { readRecipe } from "../../src/targets/recipe.js";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { type Judged, opens, repeatedRuns } from "./judged.js";
import { listening } from "./listening.js";
import { inPython, withoutPython as skip } from "./python.js";

const acpx = join(createRequire(import.meta.url).resolve("acpx/package.json"), "../dist/cli.js");
/**
 * ACP: our own peers on every transport, peers made with the official SDK, acpx, two small peers in Python, and the
 * coding agent with a model behind it.
 */
export async function acpTargets(home: string): Promise<Judged[]> {
  const programs = await bundle(import.meta.url, {
    ourAgent: "../../test/fixtures/agents/editwire.ts",
    ourClient: "../../test/fixtures/clients/editwire.ts",
    officialAgent: "../../test/fixtures/agents/official.ts",
    officialClient: "../../test/fixtures/clients/official.ts",
    codingAgent: "../../../examples/coding-agent/src/main.ts",
    ...toolWorker,
  });
  const ourAgent = [process.execPath, programs.ourAgent];
  const ourClient = [process.execPath, programs.ourClient];
  const { http, streamable } = acp;
  if (http === undefined || streamable === undefined) throw new TypeError("ACP goes over HTTP");
  const agent = { protocol: acp, role: "agent", options: { behaviors: "commands" } } as const;
  const client = { protocol: acp, role: "client" } as const;
  const steered = (command: readonly string[], more = {}): Judged["open"] =>
    opens(launchTarget({ argv: command, control: "lines", ...more }));
  const profile = "v1";
  const coding = readRecipe("coding-agent");
  // Repeated in one framing: what could differ from run to run does not depend on it.
  const framings = [
    ["line", repeatedRuns],
    ["header", 1],
  ] as const;
  return [
    ...framings.flatMap(([framing, runs]): Judged[] => [
      {
        ...agent,
        name: `our agent, stdio (${framing})`,
        runs,
        options: { ...agent.options, framing },
        open: opens(stdioTarget({ argv: ourAgent })),
      },
      { ...client, name: `our client, stdio (${framing})`, runs, options: { framing }, open: steered(ourClient) },
    ]),
    {
      ...agent,
      name: "our agent, HTTP",
      runs: repeatedRuns,
      open: () => listening([...ourAgent, "--http"], (url) => httpTarget({ url, paths: http })),
    },
    { ...client, name: "our client, HTTP", runs: repeatedRuns, open: steered(ourClient, { seat: httpSeat(http) }) },
    {
      ...agent,
      name: "our agent, the official dialect, stdio",
      options: { ...agent.options, profile },
      open: opens(stdioTarget({ argv: [...ourAgent, "--v1"] })),
    },
    { ...client, name: "our client, the official dialect, stdio", options: { profile }, open: steered(ourClient) },
    {
      ...agent,
      name: "our agent, the official dialect, Streamable HTTP",
      options: { ...agent.options, profile },
      open: () =>
        listening([...ourAgent, "--v1", "--http"], (url) =>
          streamableTarget({ url: `${url}${streamable.path}`, headers: streamable }),
        ),
    },
    {
      ...agent,
      name: "our agent, the official dialect, WebSocket",
      options: { ...agent.options, profile },
      open: () =>
        listening([...ourAgent, "--v1", "--http"], (url) =>
          wsTarget({ url: `${url.replace(/^http/, "ws")}${streamable.path}` }),
        ),
    },
    {
      ...client,
      name: "our client, the official dialect, WebSocket",
      options: { profile },
      open: steered(ourClient, { seat: wsSeat({ path: streamable.path }) }),
    },
    {
      ...client,
      name: "our client, the official dialect, Streamable HTTP",
      options: { profile },
      open: steered(ourClient, { seat: streamableSeat(streamable) }),
    },
    // It outlives its input: the waits cost nothing beside each other.
    {
      ...agent,
      name: "the official SDK's agent",
      baseline: "acp-agent-official-sdk.yaml",
      options: { ...agent.options, profile, jobs: 8 },
      open: opens(stdioTarget({ argv: [process.execPath, programs.officialAgent] })),
    },
    {
      ...client,
      name: "the official SDK's client",
      baseline: "acp-client-official-sdk.yaml",
      options: { profile },
      open: steered([process.execPath, programs.officialClient]),
    },
    {
      ...agent,
      name: "an agent in Python",
      baseline: "acp-agent-python.yaml",
      skip,
      open: opens(stdioTarget({ argv: inPython("agent") })),
    },
    {
      ...client,
      name: "a client in Python",
      baseline: "acp-client-python.yaml",
      skip,
      open: steered(inPython("client")),
    },
    {
      ...client,
      name: "acpx",
      baseline: "acp-client-acpx.yaml",
      // A process for each case, and nobody to steer it: what has to be asked for again and again is left out.
      options: {
        jobs: 4,
        skip: ["answered.*", "two.*", "malformed.*", "unknown-method.*"].map((part) => `acp.client.${part}`),
      },
      open: opens(
        launchTarget({
          argv: [process.execPath, acpx, "--agent", "{agent}", "--approve-all", "--format", "json", "exec", "Hello"],
          env: { HOME: home },
        }),
      ),
    },
    {
      ...agent,
      name: "the coding agent with a scripted model",
      baseline: "coding-agent.yaml",
      options: { behaviors: modelProvider(coding) },
      open: opens(modelTarget(coding, { argv: [process.execPath, programs.codingAgent, "acp", "--profile", "spec"] })),
    },
  ];
}
