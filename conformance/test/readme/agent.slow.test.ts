import { acp, registerConformance, stdioTarget } from "@editwire/conformance";
import { describe, test } from "vitest";

const command = process.env["AGENT_COMMAND"] ?? "my-agent acp";
const target = stdioTarget({ argv: command.split(" ") });
registerConformance(
  { describe, test },
  { protocol: acp, role: "agent", target, behaviors: "commands", filter: ["acp.agent.initialize.*"] },
);
