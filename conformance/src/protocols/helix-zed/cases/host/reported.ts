import { setImmediate } from "node:timers/promises";
import { matches, type Pattern } from "../../../../trace/pattern.js";
import type { HostTurn } from "../../as-agent.js";
import type { HostContext, ReportedInteraction, SessionReport } from "../../host-role.js";

/** The expected report on an interaction. */
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

/** Says whether the report of a turn is as it should be; omitted fields are not judged. */
export function fits(report: SessionReport, turn: HostTurn, expected: Expected): boolean {
  if (report.interactions === undefined) return true;
  const found: Readonly<Record<string, unknown>> = { ...interactionOf(report, turn) };
  return (
    Object.keys(found).length > 0 &&
    Object.entries(expected).every(([field, wanted]) => found[field] === undefined || matches(found[field], wanted))
  );
}

function judge(t: HostContext, req: string, turn: HostTurn, expected: Expected, report: SessionReport): void {
  t.needs(report.interactions !== undefined, "the host does not report its interactions");
  t.check(req, fits(report, turn, expected), { expected, actual: report.interactions });
}

/** Judges what the host reports about a turn, as soon as the host reports it. A host that has ended does not. */
export async function tells(t: HostContext, req: string, turn: HostTurn, expected: Expected): Promise<void> {
  const report = t.eventually(turn.session, (one) => fits(one, turn, expected));
  judge(t, req, turn, expected, await report.catch(() => t.require(req, report)));
}

/**
 * Judges the report of a turn after the host has read everything: nothing that was sent may have changed it. A host
 * may answer pings before it has read what came before them, so the report is first awaited.
 */
export async function stillTells(t: HostContext, req: string, turn: HostTurn, expected: Expected): Promise<void> {
  await t.require(req, t.allRead());
  await tells(t, req, turn, expected);
}

/** Says whether a promise is settled by now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  await setImmediate();
  return settled;
}
