import { once } from "node:events";
import { type AgentEvent, isRemoteError } from "@editwire/agent";
import { fileSessionStore } from "@editwire/acp/node";
import { createCodingAgent } from "./agent.js";
import { type AgentSettings, createProgram } from "./cli.js";
import { openEndpoint } from "./endpoint.js";
import type { FrontListeners, OpenFront } from "./fronts/front.js";
import { openFront } from "./fronts/open.js";
import { hideSecrets } from "./hide-secrets.js";
import { listenForIdes } from "./ide/listen.js";
import { openModel } from "./model.js";

const log = (text: string): void => console.error(`coding-agent: ${text}`);

/** The agent's reports on stderr. Some editors show each line of it as an error: there is none when all is well. */
function reportsOf(verbose: boolean): FrontListeners {
  const detail = verbose ? log : () => {};
  return {
    log,
    detail,
    onError(error, method = "connection") {
      if (isRemoteError(error))
        log(`${method}: ${error.message}`); // an answer on purpose
      else console.error(`coding-agent: ${method}:`, error);
    },
    onDiagnostic: ({ id, message }) => detail(`${id}: ${message}`),
  };
}

async function serve({
  fronts,
  store,
  idePort,
  secrets,
  contextTokens,
  prices,
  whenBusy,
  verbose,
  ...settings
}: AgentSettings): Promise<void> {
  const report = reportsOf(verbose);
  const endpoint = await openEndpoint(settings);
  report.detail(`the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);
  const ides = idePort === undefined ? undefined : await listenForIdes({ port: idePort, token: secrets[0], ...report });
  const agent = createCodingAgent({
    model: openModel(endpoint),
    modelName: endpoint.model,
    prices,
    contextTokens,
    whenBusy,
    toolbox: ides?.toolbox,
    store: store === undefined ? undefined : fileSessionStore<AgentEvent>(store),
    onError: (error, where) => report.onError(error, where),
  });
  hideSecrets(secrets);
  const toldToEnd = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const open: OpenFront[] = [];
  try {
    for (const front of fronts) open.push(await openFront(agent, front, report));
    await Promise.race([toldToEnd, ...open.flatMap(({ gone }) => gone ?? [])]);
  } finally {
    await Promise.all(open.map((front) => front.close()));
    await agent.close();
    await ides?.close();
    await endpoint.close();
  }
}

try {
  await createProgram(serve).parseAsync();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
