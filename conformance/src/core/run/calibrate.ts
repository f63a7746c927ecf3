import { isObject } from "@editwire/core";
import type { CaseSetting } from "./case-setting.js";
import { Checks } from "../verdict/checks.js";
import type { Connection } from "../talk/connection.js";
import { CaseEnd, ExpectationError } from "../errors.js";
import type { Handshake } from "../protocol.js";
import { untilOver } from "./over.js";
import type { TargetInfo } from "../verdict/report.js";
import type { CaseResult } from "../verdict/check.js";
import { openTalk } from "../talk/open-talk.js";
import { trimmed } from "../../trace/trim.js";
import { worst } from "../verdict/verdict.js";
import { TargetError } from "../../wire/link.js";

/** The result of the first connection. */
export interface Calibration {
  readonly target: TargetInfo;
  /** The monitors' checks during the handshake. */
  readonly result?: CaseResult | undefined;
  /** Ready for cases. */
  readonly connection?: Connection | undefined;
  /** The handshake failed, so no case can run. */
  readonly missed?: string | undefined;
  /** The target answered the handshake in a way from which no case can continue, so none makes it again. */
  readonly refused?: string | undefined;
  /** The target cannot be started or reached, or does not answer, so the run ends. */
  readonly error?: string | undefined;
}

const START_MS = 30_000;

/**
 * Opens the first connection and makes the handshake. A wrong answer is judged, as is a message that is unfinished when
 * the connection is closed; no answer is an error.
 */
export async function calibrate(setting: CaseSetting, startMs = START_MS): Promise<Calibration> {
  const start = performance.now();
  const checks = new Checks(setting.lookup, setting.profile.name);
  const problems: string[] = [];
  let connection: Connection;
  if (setting.over.reason !== undefined) return { target: {}, missed: setting.over.reason };
  try {
    connection = await untilOver(setting.connect(), setting.over);
  } catch (error) {
    if (error instanceof TargetError) return { target: {}, error: error.message, missed: error.message };
    if (error instanceof CaseEnd) return { target: {}, missed: error.message };
    throw error;
  }
  connection.attach({
    judged: (monitor, req, condition, findings) => checks.judge("monitor", monitor.id, req, condition, findings),
    broken: (message) => void problems.push(message),
  });
  const { fatal, conversation } = connection;
  const talk = openTalk({ conversation, time: setting.startTime, deadline: startMs, fatal: fatal.lenient() });
  let info: Handshake = {};
  let miss: ExpectationError | undefined;
  let cut: CaseEnd | undefined;
  try {
    const shaken = setting.suite.handshake(talk, setting.profile);
    conversation.handshake = info = await Promise.race([shaken, setting.over.cut]);
  } catch (error) {
    if (error instanceof ExpectationError) miss = error;
    else if (error instanceof CaseEnd) cut = error;
    else problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  talk.close();
  fatal.clear();
  setting.known.learnNoise(connection.trace.entries);
  if (miss?.violates !== undefined)
    checks.judge("case", "calibration", miss.violates, false, { message: miss.message, ...miss.details });
  const startedIn = Math.round(performance.now() - start);
  if (miss !== undefined) await connection.close();
  const all = checks.all();
  const silent = miss?.miss === "timeout" || miss?.miss === "closed";
  const failed = all.some(({ verdict }) => verdict === "fail");
  if (cut !== undefined || problems.length > 0) await connection.close();
  const result: CaseResult = {
    id: "calibration",
    title: "start and handshake",
    verdict: problems.length > 0 ? "harness-error" : (worst(all.map(({ verdict }) => verdict)) ?? "not-applicable"),
    ms: startedIn,
    checks: all,
    ...((problems[0] ?? miss?.message) !== undefined && { reason: problems[0] ?? miss?.message }),
    trace: trimmed(connection.trace.entries),
  };
  return {
    target: { ...info.implementation, capabilities: info.capabilities, startMs: startedIn },
    result,
    ...(miss === undefined && cut === undefined && problems.length === 0 && { connection }),
    ...(cut !== undefined && { missed: cut.message }),
    ...(silent && { missed: `no handshake: ${miss?.message}` }),
    ...(miss?.miss === "mismatch" && { refused: `no handshake: ${miss.message}` }),
    ...(silent && !failed && { error: `no handshake: ${miss?.message}${clues(connection)}` }),
  };
}

/** Hints about a target that does not answer. */
const clues = (connection: Connection): string => statusesIn(connection) + stderrTail(connection);

/** The HTTP statuses of the target's answers, which often show why nothing arrived. */
function statusesIn({ trace }: Connection): string {
  const answers = trace.entries.flatMap((entry) => {
    if (entry.kind !== "event" || entry.from !== "target" || !isObject(entry.data)) return [];
    const { method = "GET", status, body = "" } = entry.data;
    if (status === undefined) return [];
    return [`${String(method)} was answered with status ${String(status)}${body === "" ? "" : ` and ${String(body)}`}`];
  });
  return [...new Set(answers)].map((answer) => `; ${answer}`).join("");
}

/** The end of the target's stderr, which often has the reason. */
function stderrTail({ trace }: Connection): string {
  const text = trace.entries.flatMap((entry) => (entry.kind === "stderr" ? [entry.text] : [])).join("");
  const tail = text.trimEnd().split("\n").slice(-12).join("\n");
  return tail === "" ? "" : `\nstderr:\n${tail}`;
}
