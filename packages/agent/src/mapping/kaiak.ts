import { approximated, notSaid, type ProtocolMapping, said } from "./facts.js";

/** How Kaiak says what an agent says, in both of its dialects. */
export const kaiakMapping: ProtocolMapping = {
  prompt: said("the incidents and the migration context, as text and as data"),
  text: said("`ai_response`, in pieces that an empty one with `partial: false` ends"),
  content: approximated("`ai_response` with the text of a resource, or the name of another content"),
  thought: said("`thinking`"),
  plan: approximated("`progress`: the part that is done, and the step that runs"),
  tool_call: approximated("`tool_call`, with the title as `operation`, as it was when the call was first shown"),
  tool_kind: notSaid("tool calls have a name and an operation only"),
  tool_input: said(
    "`parameters`, and without input the kind and places of the call",
    approximated("`parameters` as they were when the call was first shown"),
  ),
  tool_output: said(
    "`result.output`, JSON as text; `result.error` of a call that failed",
    approximated("`result`, at the end of a call that was not rejected"),
  ),
  tool_diff: said(
    "`file_modification`, before its approval or at the end of its call",
    notSaid("a change that nobody was asked about, and whose call did not complete"),
  ),
  tool_terminal: approximated("`result.output`"),
  tool_locations: notSaid("tool calls name no places"),
  tool_rejected: said("the status `denied`"),
  tool_cancelled: approximated("the status `failed`"),
  permission: said("`user_interaction`: `file_approval` for each diff, else `tool_permission`"),
  permission_options: approximated(
    "`approve`, `always_allow`, `deny`, `always_deny`; several of one kind as a `choice` by their names; a diff " +
      "first `approve`, `deny` and `edit`, which denies it and steers",
  ),
  question: said(
    "`user_interaction`: `choice`, or `text_input` without options; what the options mean in the `prompt`",
    approximated("`user_interaction`, without the tool call that asks"),
  ),
  question_freeform: said("`text_input`", notSaid("a question with options takes no other answer")),
  usage_context: approximated("`system`, as text"),
  usage_tokens: approximated("`system`, as text"),
  usage_cost: approximated("`system`, as text"),
  mode: notSaid("there are no modes"),
  config_options: notSaid("the configuration is the client's, and goes to all sessions"),
  commands: notSaid("a run has incidents, and no text of the user"),
  info: notSaid("sessions have no titles"),
  notice: said("`system`; an error as `error` that is recoverable"),
  stop: approximated("the status of the run; another reason than `end_turn` and `cancelled` as `error`, and `failed`"),
  stop_error: said("`error` that is not recoverable, and the status `failed`"),
  cancel: said("`$/cancelRequest`, `kaiak/fix/cancel`, a `control_signal` in `v2026`"),
  steer: approximated("`system` with what another protocol adds; a Kaiak client adds nothing"),
  foreign_turn: notSaid("a run during another turn is answered -32016; nothing of that turn is sent"),
  history: notSaid("clients keep the messages of their runs"),
  rewind: notSaid("there is no message for it"),
  editor_files: notSaid("clients lend no files"),
  editor_terminals: notSaid("clients lend no terminals"),
  sign_in: approximated(
    "`user_interaction`: `choice`, in the run that needs it, of the ways that the agent handles itself",
  ),
  sessions: approximated("`kaiak/delete_session`; there is no list"),
};
