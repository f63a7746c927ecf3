import type { OptionKinds } from "@editwire/session";
import type { AgentDefinition } from "./definition.js";

/** The kind that each field of a definition must have, if it is there. */
export const definitionKinds: OptionKinds<AgentDefinition> = {
  info: "object",
  modes: "object",
  configOptions: "array",
  commands: "array",
  accepts: "array",
  mcpTypes: "array",
  authMethods: "array",
  authenticate: "function",
  logout: "function",
  whenBusy: ["reject", "queue", "steer"],
  ready: "function",
  idle: "function",
  newSession: "function",
  opened: "function",
  loadSession: "function",
  listSessions: "function",
  released: "function",
  deleteSession: "function",
  setMode: "function",
  setConfigOption: "function",
  prompt: "function",
  close: "function",
  cancelGraceMs: "number",
  maxSessions: "number",
  store: "object",
  history: "object",
  onDiagnostic: "function",
  onError: "function",
};
