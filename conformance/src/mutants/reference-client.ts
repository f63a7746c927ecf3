import { spawn } from "node:child_process";
import type { AdapterClient } from "../adapter.js";
import type { AdapterInit } from "../wire/control.js";
import type { Serve } from "../wire/memory.js";
import { childPipe } from "../wire/stdio.js";

/** Connects a reference client to the agent that an adapter was told of. Rejects when there is no starting it. */
export async function openReferenceClient(serve: Serve, { agent, framing }: AdapterInit): Promise<AdapterClient> {
  if (!("command" in agent)) throw new Error("the reference client starts a command");
  const [command = "", ...args] = agent.command;
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  await new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", reject);
  });
  const control = serve(childPipe(child), framing);
  if (control === undefined) throw new Error("the reference is no client");
  return { do: (action, actionArgs) => control.do(action, actionArgs), close: () => void child.stdin.end() };
}
