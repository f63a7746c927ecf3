import spawn from "cross-spawn";
import type { AdapterClient } from "../adapter.js";
import type { Reference } from "../core/protocol.js";
import type { AdapterInit, AgentAddress } from "../wire/control.js";
import type { Serve } from "../wire/memory.js";
import type { PipeEnd } from "../wire/pipe.js";
import { childPipe } from "../wire/stdio.js";

/** Connects a reference client to the agent that an adapter was given. Rejects if the agent cannot be reached. */
export async function openReferenceClient(
  reference: Reference,
  serve: Serve,
  { agent, framing }: AdapterInit,
): Promise<AdapterClient> {
  const pipe = await reach(agent, reference);
  const control = serve(pipe, framing);
  if (control === undefined) throw new Error("the reference is not a client");
  return { do: (action, args) => control.do(action, args), close: () => pipe.end() };
}

async function reach(agent: AgentAddress, { http, webSocket }: Reference): Promise<PipeEnd> {
  if ("url" in agent) {
    const over = agent.url.startsWith("ws") ? webSocket : http;
    if (over === undefined || !("pipe" in over)) throw new Error("the reference client starts a command");
    return over.pipe(agent.url);
  }
  const [command = "", ...args] = agent.command;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  return childPipe(child);
}
