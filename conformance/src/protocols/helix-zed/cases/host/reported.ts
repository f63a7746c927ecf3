import { setImmediate } from "node:timers/promises";
import { matches, type Pattern } from "../../../../trace/pattern.js";
import type { HostTurn } from "../../as-agent.js";
import type { HostContext, ReportedInteraction, SessionReport } from "../../host-role.js";

/** What should be told of an interaction. */
export type Expected = Partial<Record<keyof ReportedInteraction, Pattern>>;

function interactionOf(
  { interactions = [] }: SessionReport,
  { requestId, ask }: HostTurn,
): ReportedInteraction | undefined {
  const byRequest = interactions.find(({ request_id }) => request_id === requestId);
  return (
    byRequest ??
    interactions.find(({ request_id, message }) => request_id === undefined && message === ask.params["message"])
  );
}

/** Says whether a report tells of a turn what it should; what is left out is not judged. */
export function fits(report: SessionReport, turn: HostTurn, expected: Expected): boolean {
  if (report.interactions === undefined) return true;
  const found: Readonly<Record<string, unknown>> = { ...interactionOf(report, turn) };
  return (
    Object.keys(found).length > 0 &&
    Object.entries(expected).every(([field, wanted]) => found[field] === undefined || matches(found[field], wanted))
  );
}

function judge(t: HostContext, req: string, turn: HostTurn, expected: Expected, report: SessionReport): void {
  t.needs(report.interactions !== undefined, "the host does not tell of its interactions");
  t.check(req, fits(report, turn, expected), { expected, actual: report.interactions });
}

/** Judges what the host tells of a turn, as soon as it tells it. */
export async function tells(t: HostContext, req: string, turn: HostTurn, expected: Expected): Promise<void> {
  judge(t, req, turn, expected, await t.eventually(turn.session, (report) => fits(report, turn, expected)));
}

/** Judges what the host tells of a turn once it has read everything: nothing of what was sent may have changed it. */
export async function stillTells(t: HostContext, req: string, turn: HostTurn, expected: Expected): Promise<void> {
  await t.require(req, t.allRead());
  judge(t, req, turn, expected, await t.report(turn.session));
}

/** Says whether a promise is settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  await setImmediate();
  return settled;
}
