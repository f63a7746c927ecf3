import { isAbsolute } from "node:path";
import type { Model } from "@editwire/example-coding-agent";
import { configurationError, type KaiakServer, type KaiakServerSession } from "@editwire/kaiak";
import { Backups } from "./backups.js";
import { admittedBy } from "./patterns.js";
import { runFix, type SessionMemory } from "./run.js";

/** What the server is made of. */
export interface FixServerSettings {
  readonly model: Model;
  readonly modelName: string;
}

/** The coding agent behind Kaiak, ready to be served. */
export function createFixServer({ model, modelName }: FixServerSettings): KaiakServer {
  const memories = new WeakMap<KaiakServerSession, SessionMemory>();
  return {
    info: { name: "editwire-kaiak-server", version: "0.1.0" },
    configure({ workspace, tools }) {
      if (!isAbsolute(workspace.working_dir))
        throw configurationError(
          "workspace.working_dir",
          "Invalid workspace directory",
          `'${workspace.working_dir}' is not an absolute path`,
        );
      admittedBy(workspace);
      return [
        `The model is ${modelName}, as the server was started; the section model is not used`,
        ...(tools.custom_tools?.length ? ["Custom tools are not supported"] : []),
      ];
    },
    newSession(session) {
      memories.set(session, { history: [], backups: new Backups() });
    },
    async generateFix(turn) {
      const memory = memories.get(turn.session);
      if (memory === undefined) throw new Error(`the session ${turn.session.id} was never prepared`);
      return runFix(turn, memory, model);
    },
    deleteSession: (session, { cleanupFiles }) => (cleanupFiles ? memories.get(session)?.backups.remove() : undefined),
  };
}
