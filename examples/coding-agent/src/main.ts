import { once } from "node:events";
import { listenAcpHttp, serveAcpStdio } from "@editwire/acp/node";
import type { AcpAgentOptions } from "@editwire/acp";
import { createCodingAgent } from "./agent.js";
import { type AcpSettings, createProgram } from "./cli.js";
import { openEndpoint } from "./endpoint.js";
import { hideSecrets } from "./hide-secrets.js";
import { openModel } from "./model.js";

async function serve({ profile, listen, contextTokens, ...settings }: AcpSettings): Promise<void> {
  const endpoint = await openEndpoint(settings);
  console.error(`coding-agent: the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);
  const agent = createCodingAgent({ model: openModel(endpoint), contextTokens });
  hideSecrets(listen?.token === undefined ? [] : [listen.token]);
  const options: AcpAgentOptions = {
    profile,
    onError: (error, method) => console.error(`coding-agent: ${method ?? "connection"}:`, error),
    onDiagnostic({ id, message }) {
      // What the client's dialect does not have, such as the usage, is left out on purpose.
      if (id !== "missing-update") console.error(`coding-agent: ${id}: ${message}`);
    },
  };
  const toldToEnd = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  try {
    if (listen === undefined) {
      const connection = serveAcpStdio(agent, options);
      void toldToEnd.then(() => connection.close());
      await connection.closed;
    } else {
      const listener = await listenAcpHttp(agent, { ...listen, ...options });
      console.error(`coding-agent: serving ACP at ${listener.url}`);
      await toldToEnd;
      await listener.close();
    }
  } finally {
    await endpoint.close();
  }
}

try {
  await createProgram(serve).parseAsync();
} catch (error) {
  console.error(`coding-agent: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
