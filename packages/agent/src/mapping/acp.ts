import { approximated, notSaid, type ProtocolMapping, said } from "./facts.js";

/** How ACP says what an agent says. Clients of the specification's dialect get what comes after "otherwise". */
export const acpMapping: ProtocolMapping = {
  prompt: said("`prompt`, of the types that the agent declares"),
  text: said("`agent_message_chunk`"),
  content: said("`agent_message_chunk`"),
  thought: said("`agent_thought_chunk`"),
  plan: said("`plan`"),
  tool_call: said("`tool_call`, `tool_call_update`"),
  tool_kind: said("`kind`, `name`"),
  tool_input: said("`rawInput`"),
  tool_output: said("`rawOutput`; a text also as `content` of a call that has none"),
  tool_diff: said("`content` of the type `diff`"),
  tool_terminal: approximated(
    "`content` with the output; of the type `terminal` for one that the agent made in the client, without a report",
  ),
  tool_locations: said("`locations`"),
  tool_rejected: approximated("the status `failed`"),
  tool_cancelled: approximated("the status `failed`"),
  permission: said("`session/request_permission`"),
  permission_options: said(
    "`options`; in the specification's dialect `allow_once` and `reject_once`, where there is one of each",
  ),
  question: said(
    "`elicitation/create`, for clients with `elicitation.form`",
    approximated("`session/request_permission` with the answers as options"),
  ),
  question_freeform: said(
    "`elicitation/create`, for clients with `elicitation.form`",
    notSaid("clients without `elicitation.form` take no text; there is no answer"),
  ),
  usage_context: said("`usage_update`", notSaid("the specification has no usage")),
  usage_tokens: notSaid("`usage_update` has the context and the cost only"),
  usage_cost: said(
    "`cost` of `usage_update`",
    notSaid("`usage_update` needs the size of the context, too; the specification has no usage"),
  ),
  mode: said(
    "`modes`, `session/set_mode`, `current_mode_update`",
    notSaid("a session keeps the list of modes with which it was opened, unless the mode is a setting"),
  ),
  config_options: said(
    "`configOptions`, `session/set_config_option`, `config_option_update`",
    notSaid(
      "the specification has no settings; clients without `session.configOptions.boolean` none that are on or off",
    ),
  ),
  commands: said("`available_commands_update`"),
  info: said("`session_info_update`", notSaid("the specification has no titles")),
  notice: said(
    "`notice`, for clients with `session.notices`",
    approximated("`agent_message_chunk`, as a paragraph of its own"),
  ),
  stop: said("`stopReason`"),
  stop_error: said("the error of `session/prompt`"),
  cancel: said("`session/cancel`"),
  steer: said('a second `session/prompt`, for an agent with `whenBusy: "steer"`'),
  foreign_turn: approximated("updates outside of a turn; another end than `end_turn` as a paragraph"),
  history: said("`session/load`; answered questions as text"),
  rewind: notSaid("there is no message for it"),
  editor_files: said(
    "`fs/read_text_file`, `fs/write_text_file`, for clients that declare them in `fs`",
    notSaid("clients without `fs` lend no files"),
  ),
  editor_terminals: said(
    "`terminal/create` and its like, for clients with `terminal`",
    notSaid("clients without `terminal` lend no terminals"),
  ),
  sign_in: said("`authMethods`, `authenticate`, `logout`"),
  sessions: said("`session/list`, `session/delete`", notSaid("the specification has no lists")),
};
