import { openWorkspace } from "@editwire/ide-tools";
import { runTool } from "../run-tool.js";
import { toolsFor } from "./registry.js";
import type { Toolbox } from "./toolbox.js";

/** The tools of this process, in the folders of the sessions. */
export function localToolbox(): Toolbox {
  return {
    open: async (cwd) => void (await openWorkspace(cwd)),
    offered: toolsFor,
    read: async (path, cwd) => (await openWorkspace(cwd)).read(path),
    run: runTool,
  };
}
