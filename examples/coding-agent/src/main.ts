import { serveAcpStdio } from "@editwire/acp/node";
import { createCodingAgent } from "./agent.js";
import { type AcpSettings, createProgram } from "./cli.js";
import { openModel } from "./model.js";
import { openEndpoint } from "./endpoint.js";

async function serve({ profile, ...settings }: AcpSettings): Promise<void> {
  const endpoint = await openEndpoint(settings);
  console.error(`coding-agent: the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);
  const connection = serveAcpStdio(createCodingAgent({ model: openModel(endpoint) }), {
    profile,
    onError: (error, method) => console.error(`coding-agent: ${method ?? "connection"}:`, error),
    onDiagnostic: ({ id, message }) => console.error(`coding-agent: ${id}: ${message}`),
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void connection.close());
  await connection.closed;
  await endpoint.close();
}

try {
  await createProgram(serve).parseAsync();
} catch (error) {
  console.error(`coding-agent: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
