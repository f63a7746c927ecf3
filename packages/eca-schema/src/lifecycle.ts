import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";

/** Params that say nothing. */
export interface EmptyParams {}
export const EmptyParams = schemaFor<EmptyParams>()(z.looseObject({}));

/** An answer that says nothing but yes. */
export interface EmptyResult {}
export const EmptyResult = schemaFor<EmptyResult>()(z.looseObject({}));

/** The answer to `shutdown`: null on the wire (#shutdown). */
export type ShutdownResult = EmptyResult | null;
export const ShutdownResult = schemaFor<ShutdownResult>()(z.nullable(z.looseObject({})));

/** The name of a client. */
export interface ClientInfo {
  name: string;
  version?: string | undefined;
}
export const ClientInfo = schemaFor<ClientInfo>()(z.looseObject({ name: z.string(), version: z.optional(z.string()) }));

/** A folder that the editor has open. */
export interface WorkspaceFolder {
  uri: string;
  /** The name that the user sees. */
  name: string;
}
export const WorkspaceFolder = schemaFor<WorkspaceFolder>()(z.looseObject({ uri: z.string(), name: z.string() }));

/** Options that the user configured for the start. Servers of 2026 read the whole object as configuration. */
export interface InitializationOptions {
  /** How the chat works, such as `agent` or `plan`. */
  chatBehavior?: string | undefined;
  /** The name of `chatBehavior` in `v2026`; after reading, both are there. */
  chatAgent?: string | undefined;
}
export const InitializationOptions = schemaFor<InitializationOptions>()(
  z.looseObject({ chatBehavior: z.optional(z.string()), chatAgent: z.optional(z.string()) }),
);

/** Features of the editor that the client offers, in `v2026`. */
export interface EditorCapabilities {
  diagnostics?: boolean | undefined;
  definition?: boolean | undefined;
  references?: boolean | undefined;
}

/** Features that the client offers to the code assistant; an absent flag means no. */
export interface CodeAssistantCapabilities {
  chat?: boolean | undefined;
  doc?: boolean | undefined;
  edit?: boolean | undefined;
  fix?: boolean | undefined;
  rewrite?: boolean | undefined;
  editor?: EditorCapabilities | undefined;
  chatCapabilities?: ChatCapabilities | undefined;
}

/** Features of chats that the client supports, in `v2026`. */
export interface ChatCapabilities {
  askQuestion?: boolean | undefined;
}

/** The client's capabilities (#initialize). */
export interface ClientCapabilities {
  codeAssistant?: CodeAssistantCapabilities | undefined;
}
const flag = z.optional(z.boolean());
export const ClientCapabilities = schemaFor<ClientCapabilities>()(
  z.looseObject({
    codeAssistant: z.optional(
      z.looseObject({
        chat: flag,
        doc: flag,
        edit: flag,
        fix: flag,
        rewrite: flag,
        editor: z.optional(z.looseObject({ diagnostics: flag, definition: flag, references: flag })),
        chatCapabilities: z.optional(z.looseObject({ askQuestion: flag })),
      }),
    ),
  }),
);

/** The client's first message (#initialize). */
export interface InitializeParams {
  /** The process that the server should not outlive; null or absent for none. */
  processId?: number | null | undefined;
  clientInfo?: ClientInfo | undefined;
  initializationOptions?: InitializationOptions | undefined;
  capabilities: ClientCapabilities;
  workspaceFolders: WorkspaceFolder[];
}
export const InitializeParams = schemaFor<InitializeParams>()(
  z.looseObject({
    processId: z.optional(z.nullable(z.int())),
    clientInfo: z.optional(ClientInfo),
    initializationOptions: z.optional(InitializationOptions),
    capabilities: ClientCapabilities,
    workspaceFolders: z.array(WorkspaceFolder),
  }),
);

/**
 * The models, agents and welcome message of the server (#initialize). In `v2026` all but the welcome message comes with
 * `config/updated`.
 */
export interface InitializeResult {
  models?: string[] | undefined;
  chatDefaultModel?: string | undefined;
  chatBehaviors?: string[] | undefined;
  chatDefaultBehavior?: string | undefined;
  /** The text of an empty chat. */
  chatWelcomeMessage?: string | undefined;
}
export const InitializeResult = schemaFor<InitializeResult>()(
  z.looseObject({
    models: z.optional(z.array(z.string())),
    chatDefaultModel: z.optional(z.string()),
    chatBehaviors: z.optional(z.array(z.string())),
    chatDefaultBehavior: z.optional(z.string()),
    chatWelcomeMessage: z.optional(z.string()),
  }),
);

/** Which folders the editor opened and closed; undocumented, but used by editors and servers of 2026. */
export interface DidChangeWorkspaceFoldersParams {
  event: WorkspaceFoldersChange;
}

/** The folders that came and went. */
export interface WorkspaceFoldersChange {
  added: WorkspaceFolder[];
  removed: WorkspaceFolder[];
}
export const DidChangeWorkspaceFoldersParams = schemaFor<DidChangeWorkspaceFoldersParams>()(
  z.looseObject({ event: z.looseObject({ added: z.array(WorkspaceFolder), removed: z.array(WorkspaceFolder) }) }),
);
