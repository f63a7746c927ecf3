import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
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

/** What the client offers besides the protocol. The spec names nothing here; an absent capability is not there. */
export interface ClientCapabilities extends Extensible {}
export const ClientCapabilities = schemaFor<ClientCapabilities>()(z.looseObject({ _meta: meta }));

/** Which content blocks the agent takes besides `text` and `resource_link`. */
export interface PromptCapabilities extends Extensible {
  audio?: boolean | undefined;
  image?: boolean | undefined;
  embeddedContext?: boolean | undefined;
}
export const PromptCapabilities = schemaFor<PromptCapabilities>()(
  z.looseObject({
    audio: z.optional(z.boolean()),
    image: z.optional(z.boolean()),
    embeddedContext: z.optional(z.boolean()),
    _meta: meta,
  }),
);

/** Which MCP servers the agent can reach besides those on stdio. */
export interface McpCapabilities extends Extensible {
  http?: boolean | undefined;
  sse?: boolean | undefined;
}
export const McpCapabilities = schemaFor<McpCapabilities>()(
  z.looseObject({ http: z.optional(z.boolean()), sse: z.optional(z.boolean()), _meta: meta }),
);

/** What the agent can do; absent means no (section 5.1). */
export interface AgentCapabilities extends Extensible {
  loadSession?: boolean | undefined;
  promptCapabilities?: PromptCapabilities | undefined;
  mcpCapabilities?: McpCapabilities | undefined;
  sessionCapabilities?: Extensible | undefined;
}
export const AgentCapabilities = schemaFor<AgentCapabilities>()(
  z.looseObject({
    loadSession: z.optional(z.boolean()),
    promptCapabilities: z.optional(PromptCapabilities),
    mcpCapabilities: z.optional(McpCapabilities),
    sessionCapabilities: z.optional(z.looseObject({ _meta: meta })),
    _meta: meta,
  }),
);

/** A way to sign in. The spec's own agent offers none. */
export interface AuthMethod extends Extensible {
  id: string;
  name?: string | undefined;
  description?: string | undefined;
}
export const AuthMethod = schemaFor<AuthMethod>()(
  z.looseObject({ id: z.string(), name: z.optional(z.string()), description: z.optional(z.string()), _meta: meta }),
);

const version = z.int({
  error: "expected an integer: versions of ACP are integers such as 1, not dates and not strings",
});

/** What the client opens a connection with (section 5.1). */
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

/** Signs in by one of `authMethods` (section 5.2). */
export interface AuthenticateParams extends Extensible {
  methodId: string;
}
export const AuthenticateParams = schemaFor<AuthenticateParams>()(z.looseObject({ methodId: z.string(), _meta: meta }));

/** An answer that says nothing but yes. */
export interface EmptyResult extends Extensible {}
export const EmptyResult = schemaFor<EmptyResult>()(z.looseObject({ _meta: meta }));
