// What must not compile, written as users write it. `npm run typecheck` compiles this file with the sources, and
// `npm run check:pack` with the packed declarations.
import { connectAcp, serveAcp } from "@editwire/acp";
import { createAgent } from "@editwire/agent";
import { connectEca, serveEca } from "@editwire/eca";
import { createHelixZedAgent } from "@editwire/helix-zed";
import { connectKaiak, serveKaiak } from "@editwire/kaiak";
import { createSmanPlugin } from "@editwire/sman";
import type { Transport } from "@editwire/transport";

export async function acpMistakes(transport: Transport): Promise<void> {
  // @ts-expect-error the answers are allow_once, allow_always, reject_once, reject_always, cancelled, { optionId }
  const client = await connectAcp(transport, { permission: async () => "allow" });
  // @ts-expect-error true is no answer
  await connectAcp(transport, { permission: async () => true });
  // @ts-expect-error the answer is a promise
  await connectAcp(transport, { permission: () => "allow_once" });
  // @ts-expect-error a dialect is an object, such as acpProfiles.v1
  await connectAcp(transport, { profile: "v1" });
  // @ts-expect-error an agent has a handler `prompt`
  serveAcp(transport, {});
  // @ts-expect-error a stop reason of the protocol, or nothing
  serveAcp(transport, { prompt: async () => "end_turnn" });
  // @ts-expect-error a session has a folder
  const session = await client.newSession();
  // @ts-expect-error a prompt is a text or content blocks
  session.prompt(5);
}

export async function ecaMistakes(transport: Transport): Promise<void> {
  // @ts-expect-error the answers are allow_once, allow_always, reject_once, reject_always, cancelled
  const client = await connectEca(transport, { permission: async () => "approve" });
  // @ts-expect-error "manual" is the one text
  await connectEca(transport, { permission: "automatic" });
  // @ts-expect-error a server has a handler `prompt`
  serveEca(transport, {});
  // @ts-expect-error the end of a turn has no reasons
  serveEca(transport, { prompt: async () => "end_turn" });
  // @ts-expect-error a prompt is a text
  client.newSession().prompt(5);
}

export async function kaiakMistakes(transport: Transport): Promise<void> {
  // @ts-expect-error an answer is a text
  const client = await connectKaiak(transport, { question: async () => true });
  // @ts-expect-error a server has a handler `generateFix`
  serveKaiak(transport, {});
  // @ts-expect-error a handler returns the result of a fix, or nothing
  serveKaiak(transport, { generateFix: async () => "end_turn" });
  // @ts-expect-error incidents are an array
  client.newSession().generateFix("E501");
}

export function helixZedMistakes(transport: Transport): void {
  const dial = async (): Promise<Transport> => transport;
  // @ts-expect-error an agent has a handler `prompt`
  createHelixZedAgent({}, { sessionId: "s", dial });
  // @ts-expect-error the end of a turn has no reasons
  createHelixZedAgent({ prompt: async () => "end_turn" }, { sessionId: "s", dial });
  // @ts-expect-error an agent dials under an id
  createHelixZedAgent({ prompt: async () => {} }, { dial });
}

export function smanMistakes(transport: Transport): void {
  const dial = async (): Promise<Transport> => transport;
  // @ts-expect-error a plugin has tools
  createSmanPlugin({}, { projectKey: "p", dial });
  // @ts-expect-error a project has a key
  createSmanPlugin({ tools: {} }, { dial });
}

export function agentMistakes(): void {
  // @ts-expect-error an agent has a handler `prompt`
  createAgent({});
  // @ts-expect-error a stop reason, or nothing
  createAgent({ prompt: async () => "end_turnn" });
}
