import { workspace } from "../../core/run/workspace.js";
import { samplesOf } from "../../generate/table-samples.js";
import { table } from "./table.js";

const time = "2025-12-24T10:30:00Z";

/** An incident that asks for nothing, with everything that the specification's example has. */
export const incident = {
  id: "incident-1",
  rule_id: "conformance",
  message: "Say ok.",
  description: "An incident of the conformance suite",
  effort: "trivial",
  severity: "warning",
};

/** A configuration that says something in every section, and in every field of the specification's example. */
export const wholeConfiguration: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  workspace: { working_dir: workspace, include_patterns: ["**/*.java"], exclude_patterns: [".git/**"] },
  model: { provider: "suite", model: "suite-one", temperature: 0.5, max_tokens: 512 },
  tools: { enabled_extensions: ["todo"], custom_tools: [], planning_mode: true, max_tool_calls: 7 },
  session: { max_turns: 12, retry_config: null },
  permissions: {
    tool_permissions: { read_file: "allow", write_file: "deny", shell_command: "approve", web_search: "allow" },
  },
};

/** Example values for the methods of the table; the session and the interaction that they name do not exist. */
export const { methodsFrom, sampleParams, sampleResult, takesParams } = samplesOf(table, {
  working_dir: workspace,
  session_id: "11111111-1111-4111-8111-000000000000",
  interaction_id: "no-such-interaction",
  incidents: [incident],
  timestamp: time,
  completed_at: time,
  deleted_at: time,
});
