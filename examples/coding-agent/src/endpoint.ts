import { SCRIPTED_MODEL, startScriptedModel } from "@editwire/conformance/model";
import type { AcpSettings } from "./cli.js";
import type { ModelEndpoint } from "./model-error.js";
import { fixFailingTest } from "./scripted/fix-failing-test.js";

/** A model endpoint, and what ends it if it is ours. */
export interface OpenedEndpoint extends ModelEndpoint {
  close(): Promise<void>;
}

/** What an endpoint that wants no key is given, because the client insists on one. */
const NO_KEY = "no-key";
const OPENAI_URL = "https://api.openai.com/v1";

/**
 * Finds the model endpoint. With neither a base URL nor a key it is a scripted model, started here on loopback.
 * Throws when no model is named.
 */
export async function openEndpoint({ baseUrl, apiKey, model, chunkDelayMs }: Omit<AcpSettings, "profile" | "listen">): Promise<OpenedEndpoint> {
  if (baseUrl === undefined && apiKey === undefined) {
    const scripted = await startScriptedModel({ script: fixFailingTest, chunkDelayMs });
    return { baseUrl: scripted.urls.openai, apiKey: NO_KEY, model: SCRIPTED_MODEL, close: () => scripted.close() };
  }
  if (model === undefined) throw new Error("Name the model, with --model or CODING_AGENT_MODEL");
  return { baseUrl: baseUrl ?? OPENAI_URL, apiKey: apiKey ?? NO_KEY, model, close: async () => {} };
}
