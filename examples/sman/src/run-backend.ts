import { once } from "node:events";
import { fixBound, openEndpoint, openModel } from "@editwire/example-coding-agent";
import { startBackend } from "./backend.js";
import type { Transcript } from "./transcript.js";

/** The options of the backend. */
export interface BackendSettings {
  readonly port: number;
  readonly token: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
}

/** Serves the agent until SIGINT or SIGTERM; without an endpoint and a key, with the scripted model. */
export async function runBackend({ port, token, ...settings }: BackendSettings, transcript: Transcript): Promise<void> {
  const apiKey = process.env["OPENAI_API_KEY"] || undefined;
  const endpoint = await openEndpoint({ ...settings, apiKey, chunkDelayMs: 0 }, fixBound);
  const backend = await startBackend({ model: openModel(endpoint), token, port, transcript });
  transcript.say("backend", `serves ${backend.url}, with the model ${endpoint.model}`);
  process.send?.({ url: backend.url });
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await backend.close();
  await endpoint.close();
}
