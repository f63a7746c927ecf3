import { within } from "../../../../core/talk/time.js";
import { hasModel } from "../../../../targets/model-extras.js";
import { defineCases } from "../../agent-role.js";

const GONE_MS = 2_000;
const QUIET_MS = 300;

/** Cases about facts that only the model behind an agent can see. */
export const modelCases = defineCases({
  "model.cancel": {
    title: "cancel ends the request to the language model",
    emits: ["ACP-MODEL-001"],
    needs: ["slow"],
    isolation: "rough",
    async run(t) {
      const { extras } = t;
      if (!hasModel(extras)) return t.notApplicable("the suite is not the model behind the target");
      const session = await t.session();
      const turn = t.prompt(session, t.say("slow"));
      await t.expect.notify("session/update", {
        sessionId: session.id,
        update: { sessionUpdate: "agent_message_chunk" },
      });
      const { requests } = extras.model;
      const request = requests.at(-1);
      const asked = requests.length;
      t.send.notify("session/cancel", { sessionId: session.id });
      await turn.response();
      const end = request && (await within(request.ended, t.time.deadline(GONE_MS)));
      t.check("ACP-MODEL-001", end === "aborted", {
        expected: "a request that the agent gave up",
        actual: end ?? "a request that goes on",
      });
      await t.quiet(QUIET_MS, { method: "_none" });
      t.check("ACP-MODEL-001", requests.length === asked, {
        expected: "no further request",
        actual: `${requests.length - asked} more`,
      });
    },
  },
});
