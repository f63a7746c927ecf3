import { ErrorCode, RemoteError } from "@editwire/core";
import type { EcaServerConnection, EcaServerMethods } from "@editwire/eca";
import type { LoginAction, ProviderStatus } from "@editwire/eca-schema";
import type { Model } from "@editwire/example-coding-agent";
import type { Prices } from "./prices.js";

/** Where the model comes from, and how the user signs in. */
export interface ProviderSettings {
  /** Default: a model that needs no key. */
  readonly keySource?: "config" | "env" | undefined;
  /** Opens the model with a key that the user gave. Default: nobody can sign in. */
  readonly signIn?: ((apiKey: string) => Model) | undefined;
}

const id = "openai-compatible";
const keyField = { key: "api-key", label: "API key", type: "secret" };

/** The one provider of this server: an OpenAI-compatible endpoint. Signing in and out lasts as long as this process. */
export class Provider {
  readonly #modelName: string;
  readonly #prices: Prices | undefined;
  readonly #settings: ProviderSettings;
  #model: Model | undefined;
  #source: "config" | "env" | "login" | undefined;

  constructor(model: Model, modelName: string, prices: Prices | undefined, settings: ProviderSettings = {}) {
    this.#model = model;
    this.#modelName = modelName;
    this.#prices = prices;
    this.#settings = settings;
    this.#source = settings.keySource;
  }

  /** The model. Throws a `RemoteError` for the user when they have signed out. */
  readonly model = (): Model => {
    if (this.#model !== undefined) return this.#model;
    throw new RemoteError(ErrorCode.InternalError, "You are signed out of the model's provider. Sign in first.");
  };

  get status(): ProviderStatus {
    const { signIn } = this.#settings;
    return {
      id,
      label: "OpenAI-compatible endpoint",
      configured: true,
      auth: this.#auth,
      ...(signIn && { login: { methods: [{ key: "api-key", label: "API key" }] } }),
      models: [
        {
          id: this.#modelName,
          capabilities: { reason: false, vision: true, tools: true, webSearch: false },
          ...(this.#prices && { cost: { ...this.#prices } }),
        },
      ],
    };
  }

  get #auth(): ProviderStatus["auth"] {
    if (this.#model === undefined) return { status: "unauthenticated" };
    if (this.#source === undefined) return { status: "local" };
    const envVar = this.#source === "env" ? { envVar: "OPENAI_API_KEY" } : {};
    return { status: "authenticated", type: "api-key", source: this.#source, ...envVar };
  }

  /** Takes the user's key. */
  signIn(apiKey: string): void {
    this.#model = this.#settings.signIn?.(apiKey);
    this.#source = "login";
  }

  signOut(): void {
    this.#model = undefined;
  }

  get canSignIn(): boolean {
    return this.#settings.signIn !== undefined;
  }
}

/** Signing in and out of the provider. */
export function providerMethods(
  provider: Provider,
  connection: () => EcaServerConnection | undefined,
): EcaServerMethods {
  const changed = (): void => connection()?.notify("providers/updated", provider.status);
  const known = (method: string, name: string): void => {
    if (name !== id)
      throw RemoteError.invalidParams(`${method}: params.provider: expected "${id}", received "${name}"`);
    if (!provider.canSignIn) throw RemoteError.invalidParams(`${method}: the model needs no key`);
  };
  return {
    "providers/list": () => ({ providers: [provider.status] }),
    "providers/login"({ provider: name }): LoginAction {
      known("providers/login", name);
      return { action: "input", fields: [keyField] };
    },
    "providers/loginInput"({ provider: name, data }): LoginAction {
      known("providers/loginInput", name);
      const key = data[keyField.key]?.trim() ?? "";
      if (key === "")
        throw RemoteError.invalidParams(`providers/loginInput: params.data.${keyField.key}: expected a key`);
      provider.signIn(key);
      changed();
      return { action: "done" };
    },
    "providers/logout"({ provider: name }) {
      known("providers/logout", name);
      provider.signOut();
      changed();
      return {};
    },
  };
}
