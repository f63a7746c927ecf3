import type {
  AcpParams,
  AcpResult,
  AgentCapabilities,
  AuthMethod,
  ClientCapabilities,
  SessionConfigOption,
} from "@editwire/acp-schema";
import type {
  AcpV2Params,
  AcpV2Result,
  V2AgentCapabilities,
  V2AuthMethod,
  V2ClientCapabilities,
  V2ConfigOption,
} from "@editwire/acp-schema/v2";

/** `initialize` in the form of version 2. A client without a name has to have one there. */
export function initializeParams(params: AcpParams<"initialize">): AcpV2Params<"initialize"> {
  const { clientInfo: { name, version, ...info } = {}, clientCapabilities, _meta } = params;
  return {
    protocolVersion: 2,
    info: { ...info, name: name ?? info.title ?? "unknown", version: version ?? "unknown" },
    capabilities: clientCapabilitiesOf(clientCapabilities),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** Files and terminals of the client are gone; notices, compactions and booleans go to every client. */
function clientCapabilitiesOf({ auth, elicitation, _meta }: ClientCapabilities = {}): V2ClientCapabilities {
  return {
    ...(auth?.terminal === true ? { auth: { terminal: {} } } : {}),
    ...(elicitation === undefined ? {} : { elicitation }),
    ...(_meta === undefined ? {} : { _meta }),
  };
}

/** The agent's answer to `initialize`, as version 1 has it. */
export function initializeResult(result: AcpV2Result<"initialize">): AcpResult<"initialize"> {
  const { protocolVersion, info, capabilities, authMethods = [], ...rest } = result;
  return {
    ...rest,
    protocolVersion,
    agentInfo: info,
    agentCapabilities: agentCapabilitiesOf(capabilities, authMethods.length > 0),
    authMethods: authMethods.map(authMethodOf),
  };
}

/** Markers become flags, and what every agent of version 2 has is declared. */
function agentCapabilitiesOf(capabilities: V2AgentCapabilities = {}, signsIn: boolean): AgentCapabilities {
  const { session, auth, ...rest } = capabilities;
  const account = signsIn ? { auth: { ...auth, logout: {} } } : {};
  if (session === undefined) return { ...rest, ...account };
  const { prompt, mcp, ...optional } = session;
  return {
    ...rest,
    ...account,
    loadSession: true,
    promptCapabilities: {
      image: prompt?.image !== undefined,
      audio: prompt?.audio !== undefined,
      embeddedContext: prompt?.embeddedContext !== undefined,
      ...(prompt?._meta === undefined ? {} : { _meta: prompt._meta }),
    },
    mcpCapabilities: {
      http: mcp?.http !== undefined,
      ...(mcp?._meta === undefined ? {} : { _meta: mcp._meta }),
    },
    sessionCapabilities: { ...optional, list: {}, resume: {}, close: {} },
  };
}

function authMethodOf({ methodId, ...method }: V2AuthMethod): AuthMethod {
  const env = method.type === "terminal" ? method.env : undefined;
  if (!Array.isArray(env)) return { ...method, id: methodId } as AuthMethod;
  const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
  return { ...method, id: methodId, env: variables } as AuthMethod;
}

/** An option of a session. Its id, and those of its groups, have other names in version 1. */
export function configOptionOf({ configId, ...option }: V2ConfigOption): SessionConfigOption {
  if (option.type !== "select" || !Array.isArray(option.options))
    return { ...option, id: configId } as SessionConfigOption;
  const options = option.options.map((one) => {
    if (!("groupId" in one)) return one;
    const { groupId, ...group } = one;
    return { ...group, group: groupId };
  });
  return { ...option, id: configId, options } as SessionConfigOption;
}

/** The answer that opens a session, as version 1 has it. */
export function openedSession<Result extends AcpV2Result<"session/new"> | AcpV2Result<"session/resume">>({
  configOptions,
  ...result
}: Result): Omit<Result, "configOptions"> & Pick<AcpResult<"session/new">, "configOptions"> {
  return configOptions === undefined ? result : { ...result, configOptions: configOptions.map(configOptionOf) };
}

/** The value of an option has a type in version 2. */
export function configValue(params: AcpParams<"session/set_config_option">): AcpV2Params<"session/set_config_option"> {
  return params.type === "boolean" ? params : { ...params, type: "id" };
}
