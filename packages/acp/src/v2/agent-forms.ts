import type {
  AcpParams,
  AcpResult,
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  SessionConfigOption,
  SessionModeState,
} from "@editwire/acp-schema";
import type {
  AcpV2Params,
  AcpV2Result,
  V2AgentCapabilities,
  V2AuthMethod,
  V2ClientCapabilities,
  V2ConfigOption,
} from "@editwire/acp-schema/v2";

/** The settings of a session that version 2 has in one list. */
export interface SessionSettings {
  readonly modes?: SessionModeState | undefined;
  readonly configOptions?: readonly SessionConfigOption[] | undefined;
}

/** The id of the setting that stands for the modes of an agent that has modes and no settings for them. */
export const modeOption = "mode";

/** `initialize` in the form of version 1. Notices, compactions and options that are on or off go to every client. */
export function initializeParams(params: AcpV2Params<"initialize">): AcpParams<"initialize"> {
  const { info, capabilities = {}, ...rest } = params;
  return { ...rest, clientInfo: info, clientCapabilities: clientCapabilitiesOf(capabilities) };
}

function clientCapabilitiesOf({ auth, elicitation, ...rest }: V2ClientCapabilities): ClientCapabilities {
  return {
    ...rest,
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    auth: { terminal: auth?.terminal !== undefined },
    ...(elicitation === undefined ? {} : { elicitation }),
  };
}

/** The answer to `initialize`, as version 2 has it. */
export function initializeResult(result: AcpResult<"initialize">): AcpV2Result<"initialize"> {
  const { agentInfo: { name, version, ...info } = {}, agentCapabilities = {}, authMethods = [], ...rest } = result;
  return {
    ...rest,
    protocolVersion: 2,
    info: { ...info, name: name ?? info.title ?? "unknown", version: version ?? "unknown" },
    capabilities: agentCapabilitiesOf(agentCapabilities),
    ...(authMethods.length === 0 ? {} : { authMethods: authMethods.map(authMethodOf) }),
  };
}

/** Flags become markers. Methods that every agent of version 2 has need none. */
function agentCapabilitiesOf(capabilities: AgentCapabilities): V2AgentCapabilities {
  const { promptCapabilities, mcpCapabilities, sessionCapabilities = {} } = capabilities;
  const { delete: deletes, additionalDirectories, _meta } = sessionCapabilities;
  const marked = (name: string, declared: unknown): object =>
    declared === undefined || declared === false ? {} : { [name]: {} };
  return {
    session: {
      prompt: {
        ...marked("image", promptCapabilities?.image),
        ...marked("audio", promptCapabilities?.audio),
        ...marked("embeddedContext", promptCapabilities?.embeddedContext),
      },
      mcp: { stdio: {}, ...marked("http", mcpCapabilities?.http) },
      ...marked("delete", deletes),
      ...marked("additionalDirectories", additionalDirectories),
      ...(_meta === undefined ? {} : { _meta }),
    },
    ...(capabilities._meta === undefined ? {} : { _meta: capabilities._meta }),
  };
}

function authMethodOf({ id, type = "agent", name = id, env, ...method }: AuthMethod): V2AuthMethod {
  const variables = env && Object.entries(env).map(([key, value]) => ({ name: key, value }));
  return { ...method, type, methodId: id, name, ...(variables && { env: variables }) } as V2AuthMethod;
}

/** All settings of a session, with its modes as one of them. */
export function configOptionsOf({ modes, configOptions = [] }: SessionSettings): V2ConfigOption[] {
  const options = configOptions.map(configOptionOf);
  const hasMode = options.some(({ category, configId }) => category === "mode" || configId === modeOption);
  if (modes === undefined || hasMode) return options;
  const values = modes.availableModes.map(({ id, ...mode }) => ({ ...mode, value: id }));
  const mode = { configId: modeOption, name: "Mode", category: "mode", type: "select" as const };
  return [{ ...mode, currentValue: modes.currentModeId, options: values }, ...options];
}

function configOptionOf({ id, ...option }: SessionConfigOption): V2ConfigOption {
  if (option.type !== "select") return { ...option, configId: id } as V2ConfigOption;
  const options = option.options.map((one) => {
    if (!("group" in one)) return one;
    const { group, ...others } = one;
    return { ...others, groupId: group };
  });
  return { ...option, configId: id, options } as V2ConfigOption;
}
