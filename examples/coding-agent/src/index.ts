export { type CodingAgentOptions, createCodingAgent } from "./agent.js";
export { type EndpointSettings, type OpenedEndpoint, openEndpoint } from "./endpoint.js";
export { hideSecrets } from "./hide-secrets.js";
export { ideToolbox, type IdeToolboxOptions } from "./ide/ide-toolbox.js";
export { type Model, openModel } from "./model.js";
export { fixBound } from "./scripted/fix-bound.js";
export { unifiedDiff } from "./unified-diff.js";
