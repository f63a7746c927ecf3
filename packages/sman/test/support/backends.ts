import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Diagnostic } from "@editwire/core";
import { onTestFinished } from "vitest";
import { type Frame, dialRaw, type RawSocket } from "../../../transport/test/raw-socket.js";
import type { SmanIde } from "../../src/index.js";
import { type SmanHandler, smanHandler, type SmanHandlerOptions } from "../../src/node.js";

/** A backend behind an HTTP server of this process. */
export interface TestBackend {
  readonly backend: SmanHandler;
  readonly url: string;
  readonly port: number;
  readonly diagnostics: Diagnostic[];
  readonly errors: unknown[];
  /** Dials as a raw plugin, and waits until the backend has noticed. */
  dial(query?: string, headers?: Record<string, string>): Promise<{ raw: RawSocket; ide: SmanIde }>;
}

export const query = "sessionId=test-123&projectKey=autoloop";

export async function startBackend(options: SmanHandlerOptions = {}): Promise<TestBackend> {
  const diagnostics: Diagnostic[] = [];
  const errors: unknown[] = [];
  const opened: ((ide: SmanIde) => void)[] = [];
  const backend = smanHandler({
    onDiagnostic: (diagnostic) => void diagnostics.push(diagnostic),
    onError: (error) => void errors.push(error),
    ...options,
    onIde: (ide) => opened.shift()?.(ide),
  });
  const server = createServer((_request, response) => response.end("the product's own page"));
  server.on("upgrade", (request, socket, head) => {
    if (!backend.upgrade(request, socket, head)) socket.end("HTTP/1.1 418 Another Listener\r\n\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await backend.close();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `ws://127.0.0.1:${port}/ws/agent/chat`;
  return {
    backend,
    url,
    port,
    diagnostics,
    errors,
    async dial(given = query, headers = {}) {
      const connected = new Promise<SmanIde>((resolve) => opened.push(resolve));
      const raw = await dialRaw(`${url}?${given}`, headers);
      return { raw, ide: await connected };
    },
  };
}

/** The result of a call as the specification shows it. */
export function result(toolCallId: unknown, fields: object = { success: true, result: "done" }): Frame {
  return { type: "TOOL_RESULT", data: { toolCallId, ...fields } };
}

/** Answers the next call of a raw plugin. */
export async function answer(raw: RawSocket, fields?: object): Promise<Frame> {
  const call = await raw.next("TOOL_CALL");
  raw.send(result(call["toolCallId"], fields));
  return call;
}
