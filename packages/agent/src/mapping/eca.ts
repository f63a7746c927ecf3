import { approximated, notSaid, type ProtocolMapping, said } from "./facts.js";

/** The forms of an agent's facts in ECA. Those that only its dialect of 2026 has are marked. */
export const ecaMapping: ProtocolMapping = {
  prompt: approximated(
    "the message, and `contexts` as links, images and text; overviews of the workspace are left out",
  ),
  text: said("`text` of the assistant"),
  content: approximated("`image` (2026) and `url`; audio is not said, and resources as their text"),
  thought: said("`reasonStarted`, `reasonText`, `reasonFinished`"),
  plan: approximated("a tool call `plan` with the details `task` (2026), and the steps as its output"),
  tool_call: said(
    "`toolCallPrepare`, `toolCallRun`, `toolCallRunning` (2026), `toolCalled`, `toolCallRejected`",
    approximated("the same, with the name as it was when the call was first shown"),
  ),
  tool_kind: notSaid("tool calls have a name and a summary only"),
  tool_input: said(
    "`arguments`; what is not an object as `input` of one, and without input the kind and places of the call",
    approximated("`arguments` as they were when the call began to run, and as they are at its end"),
  ),
  tool_output: said(
    "`outputs`, at the end of the call; JSON as text",
    approximated("`outputs`, at the end of a call that ran; of an image or a link its name"),
  ),
  tool_diff: approximated("a unified diff in the details `fileChange`; of several changes, the first"),
  tool_terminal: approximated("its output in `outputs`, at the end of the call"),
  tool_locations: notSaid("tool calls name no places"),
  tool_rejected: said("`toolCallRejected`"),
  tool_cancelled: approximated("`toolCallRejected`; for a call that runs, `toolCalled` with an error"),
  permission: said("`manualApproval`, `chat/toolCallApprove`, `chat/toolCallReject`"),
  permission_options: approximated(
    "approve and reject, with the editor's own `save` (2026); several options of one kind as `chat/askQuestion`, " +
      "for clients with `chatCapabilities.askQuestion` (2026)",
    approximated("several options of one kind as a tool call to approve for each"),
  ),
  question: said(
    "`chat/askQuestion`, for clients with `chatCapabilities.askQuestion` (2026)",
    notSaid("clients without `askQuestion` take no questions; there is no answer"),
  ),
  question_freeform: said(
    "`allowFreeform`, for clients with `chatCapabilities.askQuestion` (2026)",
    notSaid("clients without `askQuestion` take no questions; there is no answer"),
  ),
  usage_context: said("`sessionTokens` and `limit`"),
  usage_tokens: said("`messageInputTokens`, `messageOutputTokens`"),
  usage_cost: said("`messageCost`, `sessionCost`, in dollars", notSaid("costs are in dollars")),
  mode: said(
    "behaviors (2026: agents); the user's choice holds from the next prompt on",
    approximated(
      "the ids of the modes as behaviors (2026: agents), without names and descriptions; " +
        "the name where an id is a URL",
    ),
  ),
  config_options: approximated(
    "the values of the options of the categories `mode` and `model` as the behaviors (2026: agents) and models; " +
      "others are not said",
  ),
  commands: said("`chat/queryCommands`"),
  info: said("`metadata` (2026)"),
  notice: said("`text` of the system, which begins with the severity of a warning or an error"),
  stop: approximated("`progress finished`; another reason than `end_turn` as `text` of the system"),
  stop_error: approximated("`text` of the system; its code is not said"),
  cancel: said("`chat/promptStop`"),
  steer: said("`chat/promptSteer` (2026)", approximated("its text, without images and the like")),
  foreign_turn: said(
    "a turn that the server starts; the user may stop and steer it",
    approximated("its prompt as text, without images and the like"),
  ),
  history: said(
    "`chat/open`, `chat/history` (2026); answered questions as text",
    approximated("prompts as text, without images and the like"),
  ),
  rewind: notSaid("agents keep the messages: `chat/clear`, `chat/rollback` and `chat/fork` are answered -32601"),
  editor_files: notSaid("editors lend no files"),
  editor_terminals: notSaid("editors lend no terminals"),
  sign_in: approximated(
    "a tool call to approve, in the prompt that needs it, for each way that the agent handles itself",
  ),
  sessions: said("`chat/list` (2026), `chat/delete`"),
};
