import { serveEcaStdio } from "@editwire/eca/node";
import { hideSecrets, openEndpoint, openModel } from "@editwire/example-coding-agent";
import { createProgram, type EcaSettings } from "./cli.js";
import { readMcpConfig } from "./mcp/config.js";
import { createEcaServer } from "./server.js";

const log = (text: string): void => console.error(`eca-server: ${text}`);

async function serve({ profile, mcpConfig, prices, watchParent, ignored, ...settings }: EcaSettings): Promise<void> {
  if (ignored.length > 0) log(`ignored: ${ignored.join(" ")}`);
  const mcpServers = mcpConfig === undefined ? [] : await readMcpConfig(mcpConfig);
  const endpoint = await openEndpoint(settings);
  log(`the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);
  const free = { input: 0, output: 0 };
  const server = createEcaServer({
    model: openModel(endpoint),
    modelName: endpoint.model,
    prices: prices ?? (endpoint.scripted ? free : undefined),
    provider: endpoint.scripted
      ? undefined
      : {
          keySource: settings.apiKey === undefined ? undefined : "env",
          signIn: (apiKey) => openModel({ ...endpoint, apiKey }),
        },
    mcpServers,
    log,
  });
  hideSecrets();
  const connection = serveEcaStdio(server, {
    profile,
    watchParent,
    onError: (error, method) =>
      log(`${method ?? "connection"}: ${error instanceof Error ? error.stack : String(error)}`),
    onDiagnostic: ({ id, message }) => log(`${id}: ${message}`),
  });
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => void connection.close());
  await connection.ended;
  await endpoint.close();
}

try {
  await createProgram(serve).parseAsync();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
