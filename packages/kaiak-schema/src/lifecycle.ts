import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";

/** The handshake of the Language Server Protocol. Kaiak needs none; language clients send it. */
export interface InitializeParams {
  processId?: number | null | undefined;
  clientInfo?: { name: string; version?: string | undefined } | undefined;
}
const named = z.looseObject({ name: z.string(), version: z.optional(z.string()) });
export const InitializeParams = schemaFor<InitializeParams>()(
  z.looseObject({ processId: z.optional(z.nullable(z.int())), clientInfo: z.optional(named) }),
);

/** The server's first message: the commands that `workspace/executeCommand` takes. */
export interface InitializeResult {
  capabilities?: { executeCommandProvider?: { commands: string[] } | undefined } | undefined;
  serverInfo?: { name: string; version?: string | undefined } | undefined;
}
export const InitializeResult = schemaFor<InitializeResult>()(
  z.looseObject({
    capabilities: z.optional(
      z.looseObject({ executeCommandProvider: z.optional(z.looseObject({ commands: z.array(z.string()) })) }),
    ),
    serverInfo: z.optional(named),
  }),
);

/** Nothing, as an object or as null. */
export const Nothing = schemaFor<Record<string, unknown> | null>()(z.nullable(z.record(z.string(), z.unknown())));
