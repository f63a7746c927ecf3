// For those who judge an implementation.
export { runConformance } from "./core/run/run.js";
export type { RunEvent, RunOptions } from "./core/run/options.js";
export { registerConformance, type TestRunner } from "./report/register.js";
export type { RunReport } from "./core/verdict/report.js";
export type { CaseResult, Check } from "./core/verdict/check.js";
export type { BehaviorProvider } from "./core/run/behaviors.js";
export { readBaseline } from "./core/verdict/baseline.js";
export { exitCodeOf, type Outcome } from "./core/verdict/exit-code.js";
export type { Verdict } from "./core/verdict/verdict.js";
export { checkTrace } from "./core/verdict/check-trace.js";
export { UsageError } from "./core/errors.js";
export { acp, eca, findProtocol, helixZed, kaiak, protocols, sman } from "./protocols/all.js";
export { jsonReport, readReport } from "./report/json.js";
export { type ReportDocument, reportDocument } from "./report/document.js";
export { htmlReport } from "./report/html.js";
export { junitReport } from "./report/junit.js";
export { markdownReport } from "./report/markdown.js";
export { terminalReport } from "./report/terminal.js";

// Ways to reach a target.
export { type Control, type Link, type Target, TargetError } from "./wire/link.js";
export { stdioTarget } from "./wire/stdio.js";
export { unixTarget } from "./wire/socket.js";
export { httpTarget } from "./wire/http.js";
export { streamableTarget } from "./wire/streamable.js";
export { streamableSeat } from "./wire/streamable-seat.js";
export { wsTarget } from "./wire/ws.js";
export { servedTarget } from "./wire/served.js";
export { wsSeat } from "./wire/ws-seat.js";
export { type Seat, stdioSeat } from "./wire/seat.js";
export { httpSeat } from "./wire/http-seat.js";
export { launchTarget, type LaunchOptions } from "./wire/launch.js";
export { memoryTarget, type Serve } from "./wire/memory.js";
export { modelProvider, modelTarget } from "./targets/model-target.js";

// For those who write a suite for a protocol of their own.
export type { Behavior, ConformanceProtocol, Reference, RoleSuite } from "./core/protocol.js";
export { type Case, defineCase } from "./core/run/case.js";
export type { CaseContext } from "./core/run/context.js";
export { defineMonitor, type Monitor } from "./core/talk/monitor.js";
export { mutant, type Mutant } from "./core/mutant.js";
export { runMutants } from "./mutants/run-mutants.js";
export { readRegistry, type Registry } from "./core/registry/registry.js";
export { registryProblems } from "./core/registry/check.js";
export type { Envelope } from "./core/talk/message.js";
export { jsonRpc, jsonRpcMonitors } from "./monitors/jsonrpc.js";
export { framingMonitor } from "./monitors/framing.js";
export { schemaMonitor } from "./monitors/schema.js";
export type { TraceEntry } from "./trace/trace.js";
export { where } from "./trace/pattern.js";
export { readTrace } from "./trace/file.js";
