import { SCRIPTED_MODEL, type Script, startScriptedModel } from "@editwire/conformance/model";
import type { ModelEndpoint } from "./model-error.js";
import { defaultScript } from "./scripted/default-script.js";

/** A model endpoint, and how to close it. */
export interface OpenedEndpoint extends ModelEndpoint {
  close(): Promise<void>;
}

/** The known facts about the endpoint to use. */
export interface EndpointSettings {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Milliseconds between two chunks of the scripted model. */
  readonly chunkDelayMs: number;
}

/** A key for endpoints that need none, because the client insists on one. */
const NO_KEY = "no-key";
const OPENAI_URL = "https://api.openai.com/v1";

/**
 * Finds the model endpoint. With neither a base URL nor a key it is a scripted model, started here on loopback, which
 * does what `script` says. Throws when no model is named.
 */
export async function openEndpoint(
  { baseUrl, apiKey, model, chunkDelayMs }: EndpointSettings,
  script: Script = defaultScript,
): Promise<OpenedEndpoint> {
  if (baseUrl === undefined && apiKey === undefined) {
    const scripted = await startScriptedModel({ script, chunkDelayMs });
    return {
      baseUrl: scripted.urls.openai,
      apiKey: NO_KEY,
      model: SCRIPTED_MODEL,
      close: () => scripted.close(),
    };
  }
  if (model === undefined) throw new Error("Name the model, with --model or CODING_AGENT_MODEL");
  return { baseUrl: baseUrl ?? OPENAI_URL, apiKey: apiKey ?? NO_KEY, model, close: async () => {} };
}
