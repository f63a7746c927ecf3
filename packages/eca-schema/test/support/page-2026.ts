/**
 * The methods and fields on ECA's protocol page (docs/protocol.md of editor-code-assistant/eca at commit 0269a05b):
 * what sends each, and its fields with `?` for one that may be absent. A key is a method, a part, and the way to an
 * object inside of it: names of fields, words of unions, or the index of a variant without a word. Whether `any` is
 * required is not said.
 */
export const methods: Readonly<Record<string, string>> = {
  "client request":
    "initialize shutdown chat/prompt chat/queryContext chat/queryFiles chat/queryCommands chat/rollback chat/clear " +
    "chat/addFlag chat/removeFlag chat/fork chat/delete chat/update chat/list chat/open completion/inline " +
    "rewrite/prompt mcp/updateServer mcp/addServer mcp/removeServer providers/list providers/login " +
    "providers/loginInput providers/logout jobs/list jobs/kill jobs/readOutput",
  "client notification":
    "initialized exit chat/toolCallApprove chat/toolCallReject chat/promptStop chat/promptSteer " +
    "chat/promptSteerRemove chat/selectedAgentChanged chat/selectedModelChanged chat/selectedBehaviorChanged " +
    "mcp/stopServer mcp/startServer mcp/connectServer mcp/logoutServer mcp/disableServer mcp/enableServer",
  "server request": "editor/getDiagnostics chat/askQuestion",
  "server notification":
    "chat/contentReceived chat/cleared chat/opened chat/statusChanged chat/deleted rewrite/contentReceived " +
    "config/updated tool/serverUpdated tool/serverRemoved providers/updated jobs/updated $/progress $/showMessage",
};

const place = "line:number character:number";
const range = "start:object end:object";
const call = "type:string origin:string id:string name:string server:string summary?:string details?:object";
const provider = "id:string label?:string configured:boolean auth:object login?:object models:list settings?:object";
const tool = "name:string description:string parameters:any disabled?:boolean";
const mcpServer =
  "type:string name:string command?:string args?:list url?:string status:string disabled:boolean hasAuth:boolean " +
  "tools?:list prompts?:list resources?:list";
const failure = "code:string message:string data:any";
const job =
  "id:string type:string status:string label:string summary:string|null startedAt:string elapsed:string " +
  "exitCode:number|null chatId:string chatLabel:string";
const image = "type:string mediaType:string base64:string";
const content = "chat/contentReceived params content";
const details = `${content} toolCallRun details`;
const named = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`${name} params`, "name:string"]));
const empty = (...parts: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(parts.map((part) => [part, ""]));

export const page: Readonly<Record<string, string>> = {
  "initialize params":
    "processId?:number|null clientInfo?:object initializationOptions?:object capabilities:object workspaceFolders:list",
  "initialize params clientInfo": "name:string version?:string",
  "initialize params initializationOptions": "chatAgent?:string",
  "initialize params capabilities": "codeAssistant?:object",
  "initialize params capabilities codeAssistant":
    "chat?:boolean rewrite?:boolean editor?:object chatCapabilities?:object",
  "initialize params capabilities codeAssistant editor": "diagnostics?:boolean",
  "initialize params capabilities codeAssistant chatCapabilities": "askQuestion?:boolean",
  "initialize params workspaceFolders": "uri:string name:string",
  "initialize result": "chatWelcomeMessage?:string",
  ...empty("initialized params", "shutdown params", "shutdown result", "exit params"),

  "chat/prompt params":
    "chatId?:string message:string model?:string agent?:string contexts?:list variant?:string trust?:boolean",
  "chat/prompt params contexts file": "type:string path:string linesRange?:object",
  "chat/prompt params contexts file linesRange": "start:number end:number",
  "chat/prompt params contexts directory": "type:string path:string",
  "chat/prompt params contexts web": "type:string url:string",
  "chat/prompt params contexts image": image,
  "chat/prompt params contexts repoMap": "type:string",
  "chat/prompt params contexts cursor": "type:string path:string position:object",
  "chat/prompt params contexts cursor position": range,
  "chat/prompt params contexts cursor position start": place,
  "chat/prompt params contexts mcpResource":
    "type:string uri:string name:string description:string mimeType:string server:string",
  "chat/prompt result": "chatId:string model:string status:string",

  "chat/contentReceived params": "chatId:string parentChatId?:string content:object role:string",
  [`${content} text`]: "type:string contentId?:string text:string",
  [`${content} progress`]: "type:string state:string text?:string",
  [`${content} reasonStarted`]: "type:string id:string",
  [`${content} reasonText`]: "type:string id:string text:string",
  [`${content} reasonFinished`]: "type:string id:string totalTimeMs:number",
  [`${content} hookActionStarted`]: "type:string id:string name:string actionType:string",
  [`${content} hookActionFinished`]:
    "type:string id:string name:string actionType:string status:number output?:string error?:string toolCallId?:string",
  [`${content} url`]: "type:string title:string url:string",
  [`${content} image`]: image,
  [`${content} usage`]: "type:string sessionTokens:number lastMessageCost?:string sessionCost?:string limit?:object",
  [`${content} usage limit`]: "context:number output:number",
  [`${content} toolCallPrepare`]: `${call} argumentsText:string`,
  [`${content} toolCallRun`]: `${call} arguments:object manualApproval:boolean`,
  [`${content} toolCallRunning`]: `${call} arguments:object`,
  [`${content} toolCalled`]: `${call} arguments:object error:boolean outputs:list totalTimeMs:number`,
  [`${content} toolCalled outputs`]: "type:string text:string",
  [`${content} toolCallRejected`]: `${call} arguments:object reason:string`,
  [`${content} metadata`]: "type:string title:string",
  [`${content} flag`]: "type:string text:string contentId:string",
  [`${details} fileChange`]: "type:string path:string diff:string linesAdded:number linesRemoved:number",
  [`${details} jsonOutputs`]: "type:string jsons:list",
  [`${details} subagent`]:
    "type:string subagentChatId?:string model:string variant?:string agentName:string maxSteps?:number step:number",
  [`${details} task`]: "type:string tasks:list inProgressTaskIds:list summary:object activeSummary?:string",
  [`${details} task tasks`]:
    "id:number subject:string description:string status:string priority:string isBlocked:boolean blockedBy?:list",
  [`${details} task summary`]: "done:number inProgress:number pending:number total:number",

  "chat/toolCallApprove params": "chatId:string save?:string toolCallId:string",
  "chat/toolCallReject params": "chatId:string toolCallId:string",
  "chat/queryContext params": "chatId?:string query:string contexts:list",
  "chat/queryContext result": "chatId?:string contexts:list",
  "chat/queryFiles params": "chatId?:string query:string",
  "chat/queryFiles result": "chatId?:string files:list",
  "chat/queryCommands params": "chatId?:string query:string",
  "chat/queryCommands result": "chatId?:string commands:list",
  "chat/queryCommands result commands": "name:string description:string type:string arguments:list",
  "chat/queryCommands result commands arguments": "name:string description?:string required?:boolean",
  "chat/promptStop params": "chatId:string",
  "chat/promptSteer params": "chatId:string message:string",
  "chat/promptSteerRemove params": "chatId:string",
  "chat/rollback params": "chatId:string contentId:string include:list",
  "chat/clear params": "chatId:string messages?:boolean",
  "chat/addFlag params": "chatId:string contentId:string text:string",
  "chat/removeFlag params": "chatId:string contentId:string",
  "chat/fork params": "chatId:string contentId:string",
  "chat/cleared params": "chatId:string messages:boolean",
  "chat/opened params": "chatId:string title?:string",
  "chat/statusChanged params": "chatId:string status:string",
  "chat/deleted params": "chatId:string",
  "chat/delete params": "chatId?:string",
  "chat/update params": "chatId:string title?:string trust?:boolean",
  ...empty("chat/rollback result", "chat/clear result", "chat/addFlag result", "chat/removeFlag result"),
  ...empty("chat/fork result", "chat/delete result", "chat/update result"),
  "chat/list params": "limit?:number sortBy?:string",
  "chat/list result": "chats:list",
  "chat/list result chats":
    "id:string title?:string status:string createdAt?:number updatedAt?:number model?:string messageCount:number",
  "chat/open params": "chatId:string",
  "chat/open result": "found:boolean chatId?:string title?:string",
  "chat/selectedAgentChanged params": "chatId?:string agent:string",
  "chat/selectedModelChanged params": "chatId?:string model:string variant?:string",
  "chat/selectedBehaviorChanged params": "behavior:string",

  "editor/getDiagnostics params": "uri?:string",
  "editor/getDiagnostics result": "diagnostics:list",
  "editor/getDiagnostics result diagnostics":
    "uri:string severity:string source:string range:object code?:string message:string",
  "editor/getDiagnostics result diagnostics range": range,
  "chat/askQuestion params": "chatId:string question:string options?:list toolCallId?:string allowFreeform:boolean",
  "chat/askQuestion params options": "label:string description?:string",
  "chat/askQuestion result": "answer:string|null cancelled:boolean",
  "completion/inline params": "docText:string docVersion:number position:object",
  "completion/inline params position": place,
  "completion/inline result 0": "items:list",
  "completion/inline result 0 items": "text:string docVersion:number range:object",
  "completion/inline result 1": "type:string message:string",
  "rewrite/prompt params": "id:string text:string prompt:string path?:string range:object",
  "rewrite/prompt result 0": "status:string model:string",
  "rewrite/prompt result 1": "type:string message:string",
  "rewrite/contentReceived params": "rewriteId:string content:object",
  "rewrite/contentReceived params content started": "type:string",
  "rewrite/contentReceived params content reasoning": "type:string",
  "rewrite/contentReceived params content text": "type:string text:string",
  "rewrite/contentReceived params content error": "type:string message:string",
  "rewrite/contentReceived params content replace": "type:string text:string",
  "rewrite/contentReceived params content finished": "type:string totalTimeMs:number",

  "config/updated params": "chatId?:string chat?:object",
  "config/updated params chat":
    "models?:list agents?:list selectModel?:string selectAgent?:string variants?:list selectVariant?:string|null " +
    "selectTrust?:boolean welcomeMessage?:string",
  "tool/serverUpdated params native": "type:string name:string status:string tools:list",
  "tool/serverUpdated params native tools": tool,
  "tool/serverUpdated params mcp": mcpServer,
  "tool/serverUpdated params mcp tools": tool,
  "tool/serverUpdated params mcp prompts": "name:string description:string arguments?:list",
  "tool/serverUpdated params mcp prompts arguments": "name:string description:string required:boolean",
  "tool/serverUpdated params mcp resources": "uri:string name:string description:string mimeType:string",
  ...named("tool/serverRemoved", "mcp/stopServer", "mcp/startServer", "mcp/connectServer", "mcp/logoutServer"),
  ...named("mcp/disableServer", "mcp/enableServer", "mcp/removeServer"),
  "mcp/updateServer params": "name:string command?:string args?:list url?:string",
  "mcp/updateServer result": "",
  "mcp/addServer params":
    "name:string command?:string args?:list env?:object url?:string headers?:object clientId?:string " +
    "clientSecret?:string oauthPort?:number disabled?:boolean scope?:string workspaceUri?:string",
  "mcp/addServer result": "server?:object error?:object",
  "mcp/addServer result server": mcpServer,
  "mcp/addServer result error": failure,
  "mcp/removeServer result": "name?:string removed?:boolean error?:object",
  "mcp/removeServer result error": failure,

  "providers/list params": "",
  "providers/list result": "providers:list",
  "providers/list result providers": provider,
  "providers/list result providers auth":
    "status:string type?:string source?:string mode?:string expiresAt?:number envVar?:string",
  "providers/list result providers login": "methods:list",
  "providers/list result providers login methods": "key:string label:string",
  "providers/list result providers models": "id:string capabilities:object cost?:object settings?:object",
  "providers/list result providers models capabilities":
    "reason:boolean vision:boolean tools:boolean webSearch:boolean",
  "providers/list result providers models cost": "input:number output:number",
  "providers/login params": "provider:string method?:string",
  "providers/login result choose-method": "action:string methods:list",
  "providers/login result authorize": "action:string url:string message:string fields?:list",
  "providers/login result authorize fields": "key:string label:string type:string",
  "providers/login result device-code": "action:string url:string code:string message:string",
  "providers/login result input": "action:string fields:list",
  "providers/login result done": "action:string",
  "providers/loginInput params": "provider:string data:object",
  "providers/loginInput result done": "action:string",
  "providers/logout params": "provider:string",
  "providers/logout result": "",
  "providers/updated params": provider,
  "jobs/list params": "",
  "jobs/list result": "jobs:list",
  "jobs/list result jobs": job,
  "jobs/kill params": "jobId:string",
  "jobs/kill result": "killed:boolean",
  "jobs/readOutput params": "jobId:string",
  "jobs/readOutput result": "lines:list status:string exitCode:number|null",
  "jobs/readOutput result lines": "text:string stream:string",
  "jobs/updated params": "jobs:list",
  "jobs/updated params jobs": job,
  "$/progress params": "type:string taskId:string title:string",
  "$/showMessage params": "type:string message:string",
};

const historyPage = "total:number returned:number beforeCursor?:string afterCursor?:string compactionCursor?:string";
const symbol = "uri:string position:object includeDeclaration?:boolean";
const found = "status:string locations?:list message?:string";

/** Fields that the page gained until 2026-08-19, from servers until 0.155.1 and from editors that read them. */
export const later: Readonly<Record<string, string>> = {
  "initialize params capabilities codeAssistant editor": "definition?:boolean references?:boolean",
  "chat/prompt params contexts text": "type:string label:string content:string",
  [`${content} usage`]: "autoCompactPercentage?:number contextBreakdown?:object",
  [`${content} usage contextBreakdown`]:
    "categories:list usedTokens:number freeTokens?:number contextLimit?:number freeColor?:string freeEmoji?:string",
  [`${content} usage contextBreakdown categories`]: "name:string tokens:number color:string emoji:string",
  [`${details} shellCommand`]: "type:string commands:list background?:boolean",
  [`${details} shellCommand commands`]: "command:string args:list approvalKey?:string remembered?:boolean",
  "chat/open params": "limit?:number before?:string after?:string",
  "chat/open result": "selection?:object meta?:object error?:object",
  "chat/open result selection": "model?:string agent?:string variant?:string|null variants?:list trust?:boolean",
  "chat/open result meta": historyPage,
  "chat/open result error": failure,
  "chat/history params": "chatId:string limit?:number before?:string after?:string",
  "chat/history result": "contents?:list meta?:object error?:object",
  "chat/history result contents": "role:string content:object parentChatId?:string",
  "chat/history result meta": historyPage,
  "chat/history result error": failure,
  "editor/getDefinition params": symbol,
  "editor/getDefinition params position": place,
  "editor/getDefinition result": found,
  "editor/getDefinition result locations": "uri:string range:object",
  "editor/getReferences params": symbol,
  "editor/getReferences result": found,
  "mcp/addServer params": "authScope?:string",
};

/** The methods that came with it. */
export const laterMethods: Readonly<Record<string, string>> = {
  "client request": "chat/history",
  "server request": "editor/getDefinition editor/getReferences",
  "client notification": "workspace/didChangeWorkspaceFolders", // on no page, but editors and servers have it
};
