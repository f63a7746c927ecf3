import { workspace } from "../../core/workspace.js";
import { samplesOf } from "../../generate/table-samples.js";
import { table } from "./table.js";

const time = "2025-12-24T10:30:00Z";

/** An incident that asks for nothing. */
export const incident = { id: "incident-1", rule_id: "conformance", message: "Say ok." };

/** What the method table says about its methods; nobody has the session or the interaction that they name. */
export const { methodsFrom, sampleParams, sampleResult, takesParams } = samplesOf(table, {
  working_dir: workspace,
  session_id: "11111111-1111-4111-8111-000000000000",
  interaction_id: "no-such-interaction",
  incidents: [incident],
  timestamp: time,
  completed_at: time,
  deleted_at: time,
});
