import type { AuthMethod } from "@editwire/acp";
import type { EcaServerTurn } from "@editwire/eca";
import type { MappingReports } from "../mapping/reports.js";
import type { ChosenSignIn } from "../api/session.js";
import { nameOfMethod } from "../shared/sign-in.js";

/** Asks by tool calls, which every client can approve: the first one that the user approves counts. */
export async function chooseSignIn(
  turn: EcaServerTurn,
  methods: readonly AuthMethod[],
  reports: MappingReports,
): Promise<ChosenSignIn | undefined> {
  reports.report("sign_in", turn.session);
  for (const method of methods) {
    const title = `Sign in: ${nameOfMethod(method)}`;
    const call = await turn.toolCall({
      name: "sign_in",
      title,
      arguments: { method: method.id },
      manualApproval: true,
    });
    if (turn.signal.aborted) return undefined;
    if (!call.allowed) continue;
    const ended: ChosenSignIn["ended"] = (isSignedIn) =>
      isSignedIn ? call.complete(method.description ?? title) : call.fail("The agent could not sign in");
    return { method, ended };
  }
  return undefined;
}
