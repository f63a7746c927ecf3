export { runConformance } from "./core/run.js";
export type { RunEvent, RunOptions } from "./core/options.js";
export type { CaseResult, RequirementResult, RunInfo, RunReport, TargetInfo } from "./core/report.js";
export { stdioTarget, type StdioCommand } from "./wire/stdio.js";
export { memoryTarget, type Serve } from "./wire/memory.js";
