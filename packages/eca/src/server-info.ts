import type { ConfigUpdatedParams, InitializeParams, InitializeResult } from "@editwire/eca-schema";

/** What a server offers, for `initialize` and for `config/updated`. */
export interface EcaServerInfo {
  /** Default none. */
  models?: readonly string[] | undefined;
  /** Default: the first model. */
  defaultModel?: string | undefined;
  /** Default `agent` and `plan`. */
  behaviors?: readonly string[] | undefined;
  /** Default: what the client asks for in `initializationOptions`, else the first behavior. */
  defaultBehavior?: string | undefined;
  /** Default: nothing. */
  welcomeMessage?: string | undefined;
}

/** An `EcaServerInfo` with nothing left open. */
export interface SettledInfo {
  readonly models: readonly string[];
  readonly model: string | undefined;
  readonly behaviors: readonly string[];
  readonly behavior: string | undefined;
  readonly welcome: string;
}

/** Today's name of the behavior `agent`. */
const codeAgent = "code";

/** The wanted word if it is offered, under its older name too; else the default. */
export function chosen(
  wanted: string | undefined,
  offered: readonly string[],
  otherwise: string | undefined,
): string | undefined {
  if (wanted === undefined || offered.includes(wanted)) return wanted ?? otherwise;
  const older = wanted === codeAgent ? "agent" : undefined;
  return older !== undefined && offered.includes(older) ? older : otherwise;
}

/** Fills in the defaults, in the light of what the client asks for. */
export function settle(info: EcaServerInfo, { initializationOptions: asked }: InitializeParams): SettledInfo {
  const { models = [], behaviors = ["agent", "plan"], welcomeMessage: welcome = "" } = info;
  const behavior = info.defaultBehavior ?? behaviors[0];
  return {
    models,
    model: info.defaultModel ?? models[0],
    behaviors,
    behavior: chosen(asked?.chatBehavior ?? asked?.chatAgent, behaviors, behavior),
    welcome,
  };
}

/** The answer to `initialize`. */
export function initializeResult({
  models,
  model = "",
  behaviors,
  behavior = "",
  welcome,
}: SettledInfo): InitializeResult {
  return {
    models: [...models],
    chatDefaultModel: model,
    chatBehaviors: [...behaviors],
    chatDefaultBehavior: behavior,
    chatWelcomeMessage: welcome,
  };
}

/** The same for the clients of 2026, which read nothing but the welcome from that answer. */
export function configUpdated({ models, model, behaviors, behavior, welcome }: SettledInfo): ConfigUpdatedParams {
  return {
    chat: {
      models: [...models],
      agents: [...behaviors],
      behaviors: [...behaviors],
      ...(model === undefined ? {} : { selectModel: model }),
      ...(behavior === undefined ? {} : { selectAgent: behavior, selectBehavior: behavior }),
      variants: [],
      welcomeMessage: welcome,
    },
  };
}
