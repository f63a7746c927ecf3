import type { Workspace } from "@editwire/ide-tools";
import type { Action } from "./tool.js";

/** A new content for one file. */
export interface Change {
  readonly path: string;
  /** Absent for a new file. */
  readonly oldText: string | undefined;
  readonly newText: string;
  /** The text for the model afterwards. */
  readonly done: string;
}

/**
 * The action that makes a change. It refuses a file that is no longer as it was when the user was asked about the diff.
 */
export function changeAction(workspace: Workspace, { path, oldText, newText, done }: Change): Action {
  const preview = [{ type: "diff" as const, path: workspace.absolute(path), oldText, newText }];
  return {
    preview,
    async run() {
      await workspace.write(path, newText, oldText === undefined ? { createOnly: true } : { replaces: oldText });
      return { text: done, content: preview };
    },
  };
}
