// For those who judge an implementation.
export { runConformance } from "./core/run/run.js";
export type { RunEvent, RunOptions } from "./core/run/options.js";
export { registerConformance } from "./report/register.js";
export type { RunReport } from "./core/verdict/report.js";
export type { CaseResult } from "./core/verdict/check.js";
export { readBaseline } from "./core/verdict/baseline.js";
export { checkTrace } from "./core/verdict/check-trace.js";
export { acp, eca, helixZed, kaiak, protocols, sman } from "./protocols/all.js";
export { jsonReport, readReport } from "./report/json.js";
export { htmlReport } from "./report/html.js";
export { junitReport } from "./report/junit.js";
export { markdownReport } from "./report/markdown.js";
export { terminalReport } from "./report/terminal.js";

// Ways to reach a target.
export { type Link, type Target, TargetError } from "./wire/link.js";
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
export { launchTarget } from "./wire/launch.js";
export { memoryTarget, type Serve } from "./wire/memory.js";

// For those who write a suite for a protocol of their own.
export type { ConformanceProtocol } from "./core/protocol.js";
export { type Case, defineCase } from "./core/run/case.js";
export type { CaseContext } from "./core/run/context.js";
export { defineMonitor, type Monitor } from "./core/talk/monitor.js";
export { mutant, type Mutant } from "./core/mutant.js";
export { readRegistry, type Registry } from "./core/registry/registry.js";
export type { Envelope } from "./core/talk/message.js";
export { jsonRpc, jsonRpcMonitors } from "./monitors/jsonrpc.js";
export { framingMonitor } from "./monitors/framing.js";
export { schemaMonitor } from "./monitors/schema.js";
export { where } from "./trace/pattern.js";
export { readTrace } from "./trace/file.js";
