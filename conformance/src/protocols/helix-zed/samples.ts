import { samplesOf } from "../../generate/table-samples.js";
import { table } from "./table.js";

/** Example values for the messages of the table. */
export const { methodsFrom, sampleParams, takesParams } = samplesOf(table, {
  helix_session_id: "ses_sample",
  session_id: "ses_sample",
  acp_thread_id: "thread-sample",
  message: "Say ok.",
  request_id: "req_sample",
});
