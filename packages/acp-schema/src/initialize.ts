import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { AuthMethod } from "./auth.js";
import { AgentCapabilities, ClientCapabilities } from "./capabilities.js";
import { type Extensible, meta } from "./extensible.js";

/** The protocol version that this package speaks (section 3). */
export const protocolVersion = 1;

/** The name of a program. */
export interface Implementation extends Extensible {
  name?: string | undefined;
  title?: string | undefined;
  version?: string | undefined;
}
export const Implementation = schemaFor<Implementation>()(
  z.looseObject({
    name: z.optional(z.string()),
    title: z.optional(z.string()),
    version: z.optional(z.string()),
    _meta: meta,
  }),
);

const version = z.int({
  error: "expected an integer: versions of ACP are integers such as 1, not dates and not strings",
});

/** The client's first message (section 5.1). */
export interface InitializeParams extends Extensible {
  /** The newest version that the client speaks. */
  protocolVersion: number;
  clientInfo?: Implementation | undefined;
  clientCapabilities?: ClientCapabilities | undefined;
}
export const InitializeParams = schemaFor<InitializeParams>()(
  z.looseObject({
    protocolVersion: version,
    clientInfo: z.optional(Implementation),
    clientCapabilities: z.optional(ClientCapabilities),
    _meta: meta,
  }),
);

/** Who the agent is and what it can do (section 5.1). */
export interface InitializeResult extends Extensible {
  /** The version that the connection speaks from here on. */
  protocolVersion: number;
  agentInfo?: Implementation | undefined;
  agentCapabilities?: AgentCapabilities | undefined;
  authMethods?: AuthMethod[] | undefined;
}
export const InitializeResult = schemaFor<InitializeResult>()(
  z.looseObject({
    protocolVersion: version,
    agentInfo: z.optional(Implementation),
    agentCapabilities: z.optional(AgentCapabilities),
    authMethods: z.optional(z.array(AuthMethod)),
    _meta: meta,
  }),
);

/** An answer that says nothing but yes. */
export interface EmptyResult extends Extensible {}
export const EmptyResult = schemaFor<EmptyResult>()(z.looseObject({ _meta: meta }));
