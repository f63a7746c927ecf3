import { defineProtocol, notification, type ParamsOf, type Protocol, request, type ResultOf } from "@editwire/core";
import { ConfigureParams, ConfigureResult } from "./configuration.js";
import { CancelFixParams, CancelFixResult, GenerateFixParams, GenerateFixResult } from "./fixes.js";
import { InteractionRespondParams, InteractionResult, UserMessageParams } from "./interactions.js";
import { InitializeParams, InitializeResult, Nothing } from "./lifecycle.js";
import { DeleteSessionParams, DeleteSessionResult } from "./sessions.js";
import * as stream from "./stream.js";

const methods = {
  "kaiak/configure": request({
    from: "client",
    params: ConfigureParams,
    result: ConfigureResult,
    spec: "#1-configure",
  }),
  "kaiak/generate_fix": request({
    from: "client",
    params: GenerateFixParams,
    result: GenerateFixResult,
    spec: "#2-generate_fix",
  }),
  "kaiak/delete_session": request({
    from: "client",
    params: DeleteSessionParams,
    result: DeleteSessionResult,
    spec: "#3-delete_session",
  }),
  "kaiak/interaction/respond": request({
    from: "client",
    params: InteractionRespondParams,
    result: InteractionResult,
    spec: "#user-interaction-response-pattern",
  }),
  "kaiak/client/user_message": request({ from: "client", params: UserMessageParams, result: InteractionResult }),
  "kaiak/fix/cancel": request({ from: "client", params: CancelFixParams, result: CancelFixResult }),
  "kaiak/stream/progress": notification({
    from: "server",
    params: stream.ProgressParams,
    spec: "#progress-notifications",
  }),
  "kaiak/stream/ai_response": notification({
    from: "server",
    params: stream.AiResponseParams,
    spec: "#ai-response-notifications",
  }),
  "kaiak/stream/thinking": notification({ from: "server", params: stream.ThinkingParams }),
  "kaiak/stream/tool_call": notification({
    from: "server",
    params: stream.ToolCallParams,
    spec: "#tool-call-notifications",
  }),
  "kaiak/stream/user_interaction": notification({
    from: "server",
    params: stream.UserInteractionParams,
    spec: "#user-interaction-notifications",
  }),
  "kaiak/stream/file_modification": notification({
    from: "server",
    params: stream.FileModificationParams,
    spec: "#file-modification-notifications",
  }),
  "kaiak/stream/error": notification({ from: "server", params: stream.ErrorParams, spec: "#error-notifications" }),
  "kaiak/stream/system": notification({ from: "server", params: stream.SystemParams, spec: "#system-notifications" }),
  initialize: request({ from: "client", params: InitializeParams, result: InitializeResult }),
  initialized: notification({ from: "client", params: Nothing }),
  shutdown: request({ from: "client", params: Nothing, result: Nothing }),
  exit: notification({ from: "client", params: Nothing }),
};

type Table = typeof methods;
/** The method table, as an interface so that compiler messages name it instead of spelling it out. */
export interface KaiakMethods extends Table {}

/** The protocol as a type, for `ParamsOf`, `ResultOf` and `Handlers`. */
export type Kaiak = Protocol<"client" | "server", KaiakMethods>;

/** The params of a method, by its name: `KaiakParams<"kaiak/configure">`. */
export type KaiakParams<Method extends keyof KaiakMethods> = ParamsOf<Kaiak, Method>;

/** The result of a request, by its name: `KaiakResult<"kaiak/configure">`. `never` for a notification. */
export type KaiakResult<Method extends keyof KaiakMethods> = ResultOf<Kaiak, Method>;

/**
 * The Kaiak agent API: every method with its sender, params and result. `kaiakRoute` carries the commands. The anchors
 * are headings of the specification.
 */
export const kaiak: Kaiak = defineProtocol({
  name: "kaiak",
  version: "2025-12-24",
  roles: ["client", "server"],
  session: "session_id",
  methods,
});
