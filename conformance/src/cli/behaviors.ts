import { Command } from "commander";
import { findProtocol } from "../protocols/all.js";

/** `behaviors <protocol>` */
export function behaviorsCommand(): Command {
  return new Command("behaviors")
    .description("lists what cases ask a target to do, and the prompts of `--behaviors commands`")
    .argument("<protocol>")
    .action((name: string) => {
      const { behaviors } = findProtocol(name);
      for (const { name: behavior, does } of behaviors) process.stdout.write(`conf:${behavior} {…}  ${does}\n`);
      if (behaviors.length === 0) process.stdout.write(`no case of ${name} asks a target to do something\n`);
    });
}
