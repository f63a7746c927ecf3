import { isObject } from "@editwire/core";
import type { Call } from "../../core/talk/call.js";
import { casesOf } from "../../core/run/case.js";
import type { CaseContext } from "../../core/run/context.js";
import type { Conversation } from "../../core/talk/conversation.js";
import { ExpectationError } from "../../core/errors.js";
import type { RoleSuite } from "../../core/protocol.js";
import { allRead, socketOf } from "../../packs/socket.js";
import type { WsExtras } from "../../wire/ws-link.js";
import { Project, projectRoom } from "./project.js";
import { traitsOf } from "./profiles.js";
import { projectKey, type ToolName } from "./samples.js";

type Json = Record<string, unknown>;

/** The tools of cases for plugins: the suite is the backend, and the plugin has dialed it. */
export interface PluginContext extends CaseContext {
  /** The operations that only a WebSocket has. */
  readonly socket: WsExtras;
  /** The project of the connection. */
  readonly project: Project;
  /** The fields of a call beside its id, as the specification has them. */
  fields(tool: string, params: Json): Json;
  /** Calls a tool. */
  call(tool: ToolName, params: Json): Call;
  /** Sends a call with these fields beside its id, whatever the specification says about them. */
  odd(fields: Json): Call;
  /** Calls a tool, and gives its text. A failure of the tool violates the requirement and ends the case. */
  succeeds(req: string, tool: ToolName, params: Json): Promise<string>;
  /** Calls a tool that has to fail, and gives its reason. A success violates the requirement and ends the case. */
  fails(req: string, tool: ToolName, params: Json): Promise<string>;
  /** A path of a file that no other case has. */
  newFile(text?: string): string;
  /** Resolves when the plugin has read everything that was sent before. */
  allRead(): Promise<void>;
  /** Shows that the plugin works on: it reads a file. */
  works(): Promise<void>;
}

/** Declares cases for plugins. */
export const defineCases = casesOf<PluginContext>("sman.plugin");

/**
 * How the suite plays the backend. The plugin dials; in the specification's dialect, nothing is sent before the first
 * call.
 */
export const pluginRole: RoleSuite = {
  role: "plugin",
  peer: "backend",
  socket: "dials",
  prepare: projectRoom,
  handshake: () => Promise.resolve({}),
  context: pluginContext,
};

/** The id of the suite's connections, as its calls name it. */
const sessionId = "5f3c1a52-7c0e-4d5e-9a52-0f6d3a1b2c4d";
let files = 0;

/** The fields of a call beside its id. */
export function fieldsOf(tool: string, params: Json): Json {
  const site = { projectKey, webSocketSessionId: sessionId };
  return { toolName: tool, params: { ...site, ...params }, webSocketSessionId: sessionId };
}

const greeted = new WeakSet<Conversation>();

/** Sends the greeting of the profile, once for each connection. */
function greet(t: CaseContext): void {
  if (greeted.has(t.conversation)) return;
  greeted.add(t.conversation);
  for (const message of traitsOf(t).greeting(String(socketOf(t).id))) t.send.invalid(message);
}

function pluginContext(base: CaseContext): PluginContext {
  const { room } = base.conversation;
  greet(base);
  if (!(room instanceof Project)) throw new TypeError("the connection of a plugin has a project");
  const call: PluginContext["call"] = (tool, params) => base.send.request("TOOL_CALL", fieldsOf(tool, params));
  const odd: PluginContext["odd"] = (fields) =>
    base.send.invalid(base.conversation.envelope.request(base.conversation.freshId(), "TOOL_CALL", fields));
  const outcome = async (req: string, tool: ToolName, params: Json, success: boolean): Promise<string> => {
    const field = success ? "result" : "error";
    const result = odd(fieldsOf(tool, params)).result({ success });
    return textOf((await base.require(req, result))[field]);
  };
  return {
    ...base,
    socket: socketOf(base),
    project: room,
    fields: fieldsOf,
    call,
    odd,
    succeeds: (req, tool, params) => outcome(req, tool, params, true),
    fails: (req, tool, params) => outcome(req, tool, params, false),
    newFile(text) {
      const path = `work/file-${++files}.txt`;
      if (text !== undefined) room.write(path, text);
      return path;
    },
    allRead: () => allRead(base),
    async works() {
      const { result } = await call("read_file", { relativePath: "README.md" }).result({ success: true });
      if (textOf(result).includes("conformance runs")) return;
      throw new ExpectationError("mismatch", "read_file does not show the file", {
        expected: "the text of README.md",
        actual: result,
      });
    },
  };
}

/** The text of a result. The specification allows JSON in it, whose texts are read. */
function textOf(result: unknown): string {
  const text = typeof result === "string" ? result : "";
  try {
    return textsIn(JSON.parse(text)).join("\n");
  } catch {
    return text;
  }
}

function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isObject(value)) return Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)]);
  return [String(value)];
}
