import { dialKaiak } from "@editwire/kaiak/node";
import { type Command, kaiakSocket, type PartOptions, tell } from "../messages.js";
import { shortKaiak } from "../wire/kaiak.js";
import { reportWire } from "../wire/reporter.js";
import { connected } from "./retry.js";

/** A Kaiak client: it has incidents fixed, and its user approves the changes. */
export async function runKaiakClient(options: PartOptions): Promise<void> {
  process.on("message", (command: Command) => {
    if (command.type === "fix") void fixed(command.message, options);
  });
  await new Promise(() => {});
}

/** Runs until the agent has answered. When the agent is lost in between, the run is begun again. */
async function fixed(message: string, options: PartOptions): Promise<void> {
  for (;;) {
    const client = await connected(() =>
      dialKaiak(kaiakSocket(options), {
        onWire: reportWire("kaiak-client", "agent", "kaiak", shortKaiak),
        onError: () => {}, // a lost connection is seen by its end
      }),
    );
    try {
      await client.configure({ workspace: { working_dir: options.project } });
      const turn = client.newSession().prompt([{ id: "1", rule_id: "bounds", message }]);
      for await (const event of turn) {
        if (event.type !== "question") continue;
        if (options.hold) tell({ type: "holds" });
        else await event.respond("approve");
      }
      return tell({ type: "over", text: `the run is ${(await turn.result).status}` });
    } catch {
      tell({ type: "note", text: "has lost the agent, and begins its run again" });
    } finally {
      await client.close();
    }
  }
}
