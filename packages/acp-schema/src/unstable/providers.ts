import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "../extensible.js";

/** How the agent reaches the models of a provider, without secrets. */
export interface ProviderConfig extends Extensible {
  /** The API: `anthropic`, `openai`, `azure`, `vertex`, `bedrock`, or a word of the agent's own. */
  apiType: string;
  baseUrl: string;
}
export const ProviderConfig = schemaFor<ProviderConfig>()(
  z.looseObject({ apiType: z.string(), baseUrl: z.string(), _meta: meta }),
);

/** A provider of models that the user can configure. */
export interface ProviderInfo extends Extensible {
  providerId: string;
  /** The APIs that the agent can use with it. */
  supported: string[];
  /** Whether it cannot be disabled. */
  required: boolean;
  /** Absent: it is disabled. */
  current?: ProviderConfig | undefined;
}
export const ProviderInfo = schemaFor<ProviderInfo>()(
  z.looseObject({
    providerId: z.string(),
    supported: z.array(z.string()),
    required: z.boolean(),
    current: z.optional(ProviderConfig),
    _meta: meta,
  }),
);

/** All providers of the agent. */
export interface ListProvidersResult extends Extensible {
  providers: ProviderInfo[];
}
export const ListProvidersResult = schemaFor<ListProvidersResult>()(
  z.looseObject({ providers: z.array(ProviderInfo), _meta: meta }),
);

/** Replaces the configuration of a provider. */
export interface SetProviderParams extends ProviderConfig {
  providerId: string;
  /** All headers of its requests, with the credentials. */
  headers?: Record<string, string> | undefined;
}
export const SetProviderParams = schemaFor<SetProviderParams>()(
  z.looseObject({
    providerId: z.string(),
    apiType: z.string(),
    baseUrl: z.string(),
    headers: z.optional(z.record(z.string(), z.string())),
    _meta: meta,
  }),
);

/** Disables a provider, unless it is required. */
export interface DisableProviderParams extends Extensible {
  providerId: string;
}
export const DisableProviderParams = schemaFor<DisableProviderParams>()(
  z.looseObject({ providerId: z.string(), _meta: meta }),
);
