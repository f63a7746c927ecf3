// For those who judge an implementation.
export { runConformance } from "./core/run/run.js";
export type { RunEvent, RunOptions } from "./core/run/options.js";
export { registerConformance, type TestRunner } from "./report/register.js";
export type { BasisVerdict, RequirementResult, RunInfo, RunReport, TargetInfo } from "./core/verdict/report.js";
export type { CaseResult, Check } from "./core/verdict/check.js";
export type { BehaviorMode, BehaviorProvider } from "./core/run/behaviors.js";
export { type BaselineEntry, type BaselineReport, readBaseline } from "./core/verdict/baseline.js";
export { exitCodeOf, type Outcome } from "./core/verdict/exit-code.js";
export type { Totals, Verdict } from "./core/verdict/verdict.js";
export { checkTrace, type TraceReport } from "./core/verdict/check-trace.js";
export {
  type FuzzFailure,
  type FuzzMode,
  type FuzzOptions,
  type FuzzReport,
  replaySteps,
  runFuzz,
} from "./fuzz/run-fuzz.js";
export type { FuzzPlayer, FuzzSetting, FuzzStep, FuzzSuite, LifeCycle, LifeStep } from "./fuzz/suite.js";
export { UsageError } from "./core/errors.js";
export { acp, eca, findProtocol, helixZed, kaiak, protocols, sman } from "./protocols/all.js";
export { jsonReport, readReport } from "./report/json.js";
export {
  type CaseDocument,
  type DocumentOptions,
  type ReportDocument,
  reportDocument,
  type RequirementDocument,
  reportVersion,
} from "./report/document.js";
export { htmlReport } from "./report/html.js";
export { junitReport } from "./report/junit.js";
export { markdownReport } from "./report/markdown.js";
export { badgeEndpoint, badgeSvg } from "./report/badge.js";
export { githubReport } from "./report/github.js";
export type { TestCounts } from "./report/counts.js";
export type { BytesDocument, Cut, EntryDocument, MessageDocument, Reading } from "./report/trace-document.js";
export type { ByteRange } from "./report/byte-ranges.js";
export { terminalReport, type TerminalOptions } from "./report/terminal.js";

// Ways to reach a target.
export { type Control, type Ended, type Link, type OpenOptions, type Target, TargetError } from "./wire/link.js";
export { stdioTarget } from "./wire/stdio.js";
export type { StdioCommand } from "./wire/process-group.js";
export { unixTarget } from "./wire/socket.js";
export { type HttpExtras, type HttpPaths, httpTarget, type HttpTargetOptions } from "./wire/http.js";
export { type StreamableHeaders, type StreamableOptions, streamableTarget } from "./wire/streamable.js";
export { streamableSeat, type StreamableSeatOptions } from "./wire/streamable-seat.js";
export { wsTarget, type WsTargetOptions } from "./wire/ws.js";
export type { WsExtras } from "./wire/ws-link.js";
export type { WsPaths } from "./wire/ws-address.js";
export { type ServedAt, type ServedOptions, servedTarget } from "./wire/served.js";
export { wsSeat } from "./wire/ws-seat.js";
export { type Place, type Seat, stdioSeat } from "./wire/seat.js";
export { httpSeat, type HttpSeatExtras, type ReceivedRequest } from "./wire/http-seat.js";
export { awaitedTarget, seatTarget } from "./wire/seat-target.js";
export { launchTarget, type LaunchOptions } from "./wire/launch.js";
export { memoryTarget, type Serve } from "./wire/memory.js";
export type { PipeEnd, PipeEvents } from "./wire/pipe.js";
export { modelProvider, modelTarget } from "./targets/model-target.js";
export type { ModelExtras } from "./targets/model-extras.js";
export { readRecipe, type Recipe } from "./targets/recipe.js";

// For those who write a suite for a protocol of their own.
export type {
  Behavior,
  ConformanceProtocol,
  Handshake,
  HttpClientReference,
  HttpReference,
  Reference,
  RoleSuite,
  WsClientReference,
  WsServerReference,
} from "./core/protocol.js";
export { type Case, type CaseHeader, defineCase } from "./core/run/case.js";
export type { CaseContext, SuiteProfile } from "./core/run/context.js";
export type { Answer, Call } from "./core/talk/call.js";
export type { Forbidden, Incoming, Talk } from "./core/talk/talk.js";
export {
  defineMonitor,
  type Monitor,
  type MonitorApi,
  type MonitorHandlers,
  type SeenMessage,
  type SeenRequest,
} from "./core/talk/monitor.js";
export { mutant, type Mutant } from "./core/mutant.js";
export { type KillMatrix, runMutants } from "./mutants/run-mutants.js";
export type { MutantOptions } from "./mutants/run-reference.js";
export type { OpenReference } from "./mutants/ws-references.js";
export type { MutantResult } from "./mutants/mutant-result.js";
export { readRegistry, type Registry } from "./core/registry/registry.js";
export { registryProblems } from "./core/registry/check.js";
export {
  bases,
  type Basis,
  type Level,
  type Oracle,
  type Quote,
  type Requirement,
} from "./core/registry/requirement.js";
export { readVectors, type Vector } from "./core/vector.js";
export type { Classified, Envelope, ErrorBody } from "./core/talk/message.js";
export { jsonRpc, jsonRpcMonitors, type JsonRpcRequirements } from "./monitors/jsonrpc.js";
export { framingMonitor, type FramingRequirements } from "./monitors/framing.js";
export { schemaMonitor, type SchemaRequirement } from "./monitors/schema.js";
export { Trace, type TraceEntry } from "./trace/trace.js";
export { where } from "./trace/pattern.js";
export { readTrace, writeTrace } from "./trace/file.js";
