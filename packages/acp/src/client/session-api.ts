import type { AcpResult, ContentBlock, Meta, SessionConfigOption, SessionModeState } from "@editwire/acp-schema";
import type { AskOptions, SessionSide } from "@editwire/session";
import type { AcpUpdateEvent } from "./events.js";
import type { AcpAnswer } from "../shared/confirmation.js";
import type { AcpPermissionAnswer, AcpPermissionQuestion } from "./permission.js";
import type { AcpSessionState } from "./state.js";
import type { AcpTurn } from "./turn.js";
import type { AcpModelState } from "./config-choices.js";

/** How one helper asks the agent. */
export interface AcpAskOptions extends AskOptions {
  /** Sent with the request. */
  _meta?: Meta | undefined;
}

/** Called with the updates that no turn yields: early and late ones, and those between turns. */
export type AcpUpdateListener = (event: AcpUpdateEvent, session: AcpSession) => void;

/** How one prompt is sent. */
export interface AcpPromptOptions {
  /** Aborting it cancels the turn. */
  signal?: AbortSignal | undefined;
  /** Sent with the request. */
  _meta?: Meta | undefined;
  /**
   * Joins texts that wait for the reader, while it is eight events or more behind: for a reader that only passes them
   * on. The rest of a joined event is that of its last text. Default false.
   */
  joinTexts?: boolean | undefined;
}

/** A conversation with an agent. One turn runs at a time; sessions run in parallel. */
export interface AcpSession extends SessionSide<AcpSessionState> {
  readonly id: string;
  /**
   * The session's modes with the current one; absent when the agent has none. They are those of the setting of the
   * category `mode`, where the agent has one, as the official specification demands.
   */
  readonly modes: SessionModeState | undefined;
  /** The models with the current one: the setting of the category `model`. Absent when the agent has none. */
  readonly models: AcpModelState | undefined;
  /** The settings that the user can change, with their values; empty when the agent has none. */
  readonly configOptions: readonly SessionConfigOption[];
  /** The agent's answer when it opened or last loaded the session, with `configOptions`, `models` and `_meta`. */
  readonly opened: AcpResult<"session/new"> | AcpResult<"session/load">;
  /**
   * The updates that the agent replayed when it last loaded this session, in order: the newest 10,000, and at most 16
   * Mi characters of them. Empty for a new session.
   */
  readonly history: readonly AcpUpdateEvent[];
  /**
   * Starts a turn. A text becomes one text block. Throws `WireError("invalid_params")` while another turn of this
   * session runs, while the session is being loaded and after `close()`, and a `TypeError` for a prompt that is neither
   * a text nor an array.
   */
  prompt(prompt: string | readonly ContentBlock[], options?: AcpPromptOptions): AcpTurn;
  /**
   * Switches the mode, by `session/set_config_option` where the mode is a setting. Rejects with
   * `WireError("invalid_params")` for a mode that the session does not offer, and after `close()`.
   */
  setMode(modeId: string, options?: AcpAskOptions): Promise<AcpAnswer>;
  /**
   * Switches the model, which is a setting. Rejects with `WireError("invalid_params")` for a model that the session
   * does not offer, and after `close()`.
   */
  setModel(modelId: string, options?: AcpAskOptions): Promise<AcpAnswer>;
  /**
   * Gives a setting another value; changing one may change others. Rejects with `WireError("invalid_params")` for a
   * setting that the session does not offer, and after `close()`.
   */
  setConfigOption(configId: string, value: string | boolean, options?: AcpAskOptions): Promise<AcpAnswer>;
  /** The permission requests without an answer, oldest first. */
  readonly permissions: readonly AcpPermissionQuestion[];
  /**
   * Answers the oldest open permission request of a tool call. Returns false when there is none. Throws a `TypeError`
   * for a value that is not an answer.
   */
  answerPermission(toolCallId: string, answer: AcpPermissionAnswer): boolean;
  /**
   * Cancels the running turn and forgets the session; sends `session/close` to an agent that has it. Further calls
   * return the promise of the first one. If that rejects, the session stays open, and can be closed again. Until it
   * settles, the session cannot be loaded.
   */
  close(options?: AcpAskOptions): Promise<AcpAnswer>;
}
