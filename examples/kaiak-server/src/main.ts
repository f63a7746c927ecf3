import { once } from "node:events";
import { hideSecrets, openEndpoint, openModel } from "@editwire/example-coding-agent";
import type { KaiakServerOptions } from "@editwire/kaiak";
import { listenKaiak, serveKaiakStdio } from "@editwire/kaiak/node";
import { createProgram, type FixServerCommand } from "./cli.js";
import { replaceDatatypeConverter } from "./scripted/replace-datatype-converter.js";
import { createFixServer } from "./server.js";

const log = (text: string): void => console.error(`kaiak-server: ${text}`);

async function serve({ socket, ...settings }: FixServerCommand): Promise<void> {
  const endpoint = await openEndpoint(settings, replaceDatatypeConverter);
  log(`the model is ${endpoint.model} at ${new URL(endpoint.baseUrl).host}`);
  const server = createFixServer({ model: openModel(endpoint), modelName: endpoint.model });
  hideSecrets();
  const options: KaiakServerOptions = {
    onError: (error, method) =>
      log(`${method ?? "connection"}: ${error instanceof Error ? error.stack : String(error)}`),
    onDiagnostic: ({ id, message }) => log(`${id}: ${message}`),
  };
  const toldToEnd = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  try {
    if (socket === undefined) {
      const connection = serveKaiakStdio(server, options);
      void toldToEnd.then(() => connection.close());
      await connection.closed;
    } else {
      const listener = await listenKaiak(socket, server, options);
      log(`serving Kaiak at ${socket}`);
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
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
