import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";
import { V2AuthMethod } from "./auth.js";
import { V2AgentCapabilities, V2ClientCapabilities } from "./capabilities.js";
import { text } from "./patch.js";

/** The name of a program. */
export interface V2Implementation extends Extensible {
  name: string;
  title?: string | undefined;
  version: string;
}
export const V2Implementation = schemaFor<V2Implementation>()(
  z.looseObject({ name: z.string(), title: text, version: z.string(), _meta: meta }),
);

const protocolVersion = z.int({ error: "expected an integer: versions of ACP are integers such as 2" });

/** Opens a connection (initialization#version-negotiation). */
export interface V2InitializeParams extends Extensible {
  /** The newest version that the client speaks. */
  protocolVersion: number;
  info: V2Implementation;
  capabilities?: V2ClientCapabilities | undefined;
}
export const V2InitializeParams = schemaFor<V2InitializeParams>()(
  z.looseObject({
    protocolVersion,
    info: V2Implementation,
    capabilities: z.optional(V2ClientCapabilities),
    _meta: meta,
  }),
);

/** Who the agent is and what it can do (initialization#version-negotiation). */
export interface V2InitializeResult extends Extensible {
  /** The newest version that both sides speak. The connection speaks it from here on. */
  protocolVersion: number;
  info: V2Implementation;
  capabilities?: V2AgentCapabilities | undefined;
  authMethods?: V2AuthMethod[] | undefined;
}
export const V2InitializeResult = schemaFor<V2InitializeResult>()(
  z.looseObject({
    protocolVersion,
    info: V2Implementation,
    capabilities: z.optional(V2AgentCapabilities),
    authMethods: z.optional(z.array(V2AuthMethod)),
    _meta: meta,
  }),
);
