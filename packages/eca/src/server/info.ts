import type { EcaParams, EcaResult } from "@editwire/eca-schema";

/** A server's offers, for `initialize` and for `config/updated`. Only the ones given here are advertised. */
export interface EcaServerInfo {
  /** Default none. */
  models?: readonly string[] | undefined;
  /** Default: the first model. */
  defaultModel?: string | undefined;
  /** Such as `agent` and `plan`. Default none. */
  behaviors?: readonly string[] | undefined;
  /** Default: what the client asks for in `initializationOptions` if it is offered, else the first behavior. */
  defaultBehavior?: string | undefined;
  /** Default: none. */
  welcomeMessage?: string | undefined;
}

/** An `EcaServerInfo` with its defaults. */
export interface SettledInfo {
  readonly models: readonly string[];
  readonly model: string | undefined;
  readonly behaviors: readonly string[];
  readonly behavior: string | undefined;
  readonly welcome: string;
}

/** The name of the behavior `agent` in `v2026`. */
const codeAgent = "code";

/** The wanted word if it is offered, also under its older name; otherwise the default. */
export function chosen(
  wanted: string | undefined,
  offered: readonly string[],
  otherwise: string | undefined,
): string | undefined {
  if (wanted === undefined || offered.includes(wanted)) return wanted ?? otherwise;
  const older = wanted === codeAgent ? "agent" : undefined;
  return older !== undefined && offered.includes(older) ? older : otherwise;
}

/** Fills in the defaults. */
export function settle(info: EcaServerInfo, { initializationOptions: asked }: EcaParams<"initialize">): SettledInfo {
  const { models = [], behaviors = [], welcomeMessage: welcome = "" } = info;
  const behavior = info.defaultBehavior ?? behaviors[0];
  return {
    models,
    model: info.defaultModel ?? models[0],
    behaviors,
    behavior: chosen(asked?.chatBehavior ?? asked?.chatAgent, behaviors, behavior),
    welcome,
  };
}

/** The answer to `initialize`. The specification requires its fields, so what a server does not offer is empty. */
export function initializeResult({
  models,
  model = "",
  behaviors,
  behavior = "",
  welcome,
}: SettledInfo): EcaResult<"initialize"> {
  return {
    models: [...models],
    chatDefaultModel: model,
    chatBehaviors: [...behaviors],
    chatDefaultBehavior: behavior,
    chatWelcomeMessage: welcome,
  };
}

/** The same for clients of 2026, which read only the welcome message from that answer. */
export function configUpdated({
  models,
  model,
  behaviors,
  behavior,
  welcome,
}: SettledInfo): EcaParams<"config/updated"> {
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
