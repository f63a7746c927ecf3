export { runConformance } from "./core/run.js";
export type { RunEvent, RunOptions } from "./core/options.js";
export type { CaseResult, RequirementResult, RunInfo, RunReport, TargetInfo } from "./core/report.js";
export { stdioTarget } from "./wire/stdio.js";
export type { StdioCommand } from "./wire/process-group.js";
export { memoryTarget, type Serve } from "./wire/memory.js";
