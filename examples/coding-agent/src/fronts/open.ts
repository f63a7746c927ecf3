import type { Agent } from "@editwire/agent";
import { openAcp } from "./acp.js";
import { openEca } from "./eca.js";
import type { FrontListeners, FrontSettings, OpenFront } from "./front.js";
import { openHelixZed } from "./helix-zed.js";
import { openKaiak } from "./kaiak.js";

/** Serves the agent over one protocol. */
export async function openFront(agent: Agent, front: FrontSettings, report: FrontListeners): Promise<OpenFront> {
  switch (front.protocol) {
    case "acp":
      return openAcp(agent, front, report);
    case "eca":
      return openEca(agent, front, report);
    case "kaiak":
      return openKaiak(agent, front, report);
    case "helix-zed":
      return openHelixZed(agent, front, report);
  }
}
