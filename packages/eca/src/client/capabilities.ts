import type { ClientCapabilities, EcaParams, WorkspaceFolder } from "@editwire/eca-schema";
import type { EcaClientMethods, EcaClientOptions } from "./api.js";

/** The params of `initialize`. They name only capabilities that the client has. */
export function initializeParams(options: EcaClientOptions, methods: EcaClientMethods): EcaParams<"initialize"> {
  const { processId = null, clientInfo, initializationOptions, workspaceFolders = [] } = options;
  checkFolders("connectEca: workspaceFolders", workspaceFolders);
  const { capabilities = capabilitiesOf(methods) } = options;
  return { processId, clientInfo, initializationOptions, workspaceFolders: [...workspaceFolders], capabilities };
}

/** Throws a `TypeError` for a folder whose `uri` is not a URI. `name` is the function and its argument. */
export function checkFolders(name: string, folders: readonly WorkspaceFolder[]): void {
  for (const { uri } of folders) {
    if (!URL.canParse(uri))
      throw new TypeError(`${name}: expected a uri with a scheme, such as file:///project, received "${uri}"`);
  }
}

function capabilitiesOf(methods: EcaClientMethods): ClientCapabilities {
  const handled = (key: keyof EcaClientMethods, name: string): Record<string, true> =>
    methods[key] === undefined ? {} : { [name]: true };
  const editor = {
    ...handled("editor/getDiagnostics", "diagnostics"),
    ...handled("editor/getDefinition", "definition"),
    ...handled("editor/getReferences", "references"),
  };
  const filled = (name: string, flags: Record<string, true>): object =>
    Object.keys(flags).length === 0 ? {} : { [name]: flags };
  return {
    codeAssistant: {
      chat: true,
      rewrite: true, // every client has `rewrite`
      ...filled("editor", editor),
      ...filled("chatCapabilities", handled("chat/askQuestion", "askQuestion")),
    },
  };
}
