import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Handlers, Link } from "../contenders/contender.js";
import { loadContender } from "../contenders/load.js";
import type { FarEnd } from "./job.js";
import type { Memory } from "./memory.js";

const program = fileURLToPath(new URL("far-end.mjs", import.meta.url));

/** A far end that listens. */
export interface Listening {
  dial(handlers: Handlers): Promise<Link>;
  memory(): Promise<Memory>;
  end(): Promise<void>;
}

/** Starts the contender's far end as a child process and connects to it: over a pipe, or as it listens. */
export async function openLink({ contender: name, listen }: FarEnd, handlers: Handlers): Promise<Link> {
  if (listen !== undefined) {
    const far = await startListening({ contender: name, listen });
    const link = await far.dial(handlers);
    return {
      call: link.call,
      update: link.update,
      async close() {
        await link.close();
        await far.end();
      },
    };
  }
  const contender = await loadContender(name);
  if (contender.spawn === undefined) throw new Error(`${name} starts no processes`);
  const farEnd: FarEnd = { contender: name };
  return contender.spawn([process.execPath, ...process.execArgv, program, JSON.stringify(farEnd)], handlers);
}

/** Starts a far end that listens. */
export async function startListening(farEnd: FarEnd): Promise<Listening> {
  const contender = await loadContender(farEnd.contender);
  const child = fork(program, [JSON.stringify(farEnd)], { execArgv: process.execArgv });
  const [address] = (await once(child, "message")) as [string];
  return {
    async dial(handlers) {
      if (contender.dial === undefined) throw new Error(`${farEnd.contender} dials nothing`);
      return contender.dial(address, handlers);
    },
    async memory() {
      child.send("memory");
      const [memory] = (await once(child, "message")) as [Memory];
      return memory;
    },
    async end() {
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
