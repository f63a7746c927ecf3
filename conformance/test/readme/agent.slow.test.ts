import { acp, registerConformance, stdioTarget } from "@editwire/conformance";
import { describe, test } from "vitest";

const agent = [
  "node",
  "--import",
  "tsx",
  "--conditions=@editwire/source",
  "conformance/src/bin.ts",
  "reference",
  "acp",
  "--role",
  "agent",
];
const target = stdioTarget({ argv: agent });
registerConformance(
  { describe, test },
  { protocol: acp, role: "agent", target, behaviors: "commands", filter: ["acp.agent.initialize.*"] },
);
