import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, type OpenEnum, openEnum, type UserMap } from "./extensible.js";

/** Whether a provider of models can be used. */
export interface ProviderAuth {
  status: OpenEnum<"authenticated" | "expiring" | "expired" | "unauthenticated" | "local" | "not-running">;
  type?: OpenEnum<"oauth" | "api-key"> | undefined;
  source?: OpenEnum<"config" | "login" | "env"> | undefined;
  mode?: string | undefined;
  /** Epoch seconds. */
  expiresAt?: number | undefined;
  envVar?: string | undefined;
}

/** A way to sign in. */
export interface LoginMethod {
  key: string;
  label: string;
}
const LoginMethod = schemaFor<LoginMethod>()(z.looseObject({ key: z.string(), label: z.string() }));

/** The ways to sign in. */
export interface ProviderLogin {
  methods: LoginMethod[];
}

/** The features of a provider's model. */
export interface ModelCapabilities {
  reason: boolean;
  /** It takes images. */
  vision: boolean;
  tools: boolean;
  webSearch: boolean;
}

/** The cost of a model, in dollars per million tokens. */
export interface ModelCost {
  input: number;
  output: number;
}

/** A model of a provider. */
export interface ProviderModel {
  /** Without the provider's name. */
  id: string;
  capabilities: ModelCapabilities;
  cost?: ModelCost | undefined;
  settings?: UserMap | undefined;
}

/** A provider of models (providers/list, providers/updated). */
export interface ProviderStatus {
  id: string;
  label?: string | undefined;
  configured: boolean;
  auth: ProviderAuth;
  login?: ProviderLogin | undefined;
  models: ProviderModel[];
  settings?: UserMap | undefined;
}
const text = z.optional(z.string());
const settings = z.optional(z.record(z.string(), z.unknown()));
export const ProviderStatus = schemaFor<ProviderStatus>()(
  z.looseObject({
    id: z.string(),
    label: text,
    configured: z.boolean(),
    auth: z.looseObject({
      status: openEnum(["authenticated", "expiring", "expired", "unauthenticated", "local", "not-running"]),
      type: z.optional(openEnum(["oauth", "api-key"])),
      source: z.optional(openEnum(["config", "login", "env"])),
      mode: text,
      expiresAt: z.optional(z.number()),
      envVar: text,
    }),
    login: z.optional(z.looseObject({ methods: z.array(LoginMethod) })),
    models: z.array(
      z.looseObject({
        id: z.string(),
        capabilities: z.looseObject({
          reason: z.boolean(),
          vision: z.boolean(),
          tools: z.boolean(),
          webSearch: z.boolean(),
        }),
        cost: z.optional(z.looseObject({ input: z.number(), output: z.number() })),
        settings,
      }),
    ),
    settings,
  }),
);

/** Every provider. */
export interface ProvidersListResult {
  providers: ProviderStatus[];
}
export const ProvidersListResult = schemaFor<ProvidersListResult>()(
  z.looseObject({ providers: z.array(ProviderStatus) }),
);

/** Signs in; without a method the answer names the methods. */
export interface ProvidersLoginParams {
  provider: string;
  method?: string | undefined;
}
export const ProvidersLoginParams = schemaFor<ProvidersLoginParams>()(
  z.looseObject({ provider: z.string(), method: text }),
);

/** One input of a login form. */
export interface LoginField {
  key: string;
  label: string;
  type: OpenEnum<"secret" | "text">;
}
const fields = z.array(z.looseObject({ key: z.string(), label: z.string(), type: openEnum(["secret", "text"]) }));

/** The user chooses a method. */
export interface ChooseMethodAction {
  action: "choose-method";
  methods: LoginMethod[];
}

/** The user signs in at a page. */
export interface AuthorizeAction {
  action: "authorize";
  url: string;
  message: string;
  /** Absent where the server learns the outcome by itself. */
  fields?: LoginField[] | undefined;
}

/** The user types a code in at a page. */
export interface DeviceCodeAction {
  action: "device-code";
  url: string;
  code: string;
  message: string;
}

/** The user fills fields in. */
export interface InputAction {
  action: "input";
  fields: LoginField[];
}

/** Nothing is left to do. */
export interface DoneAction {
  action: "done";
}

/** An action that this version does not know; it is kept as it came. */
export interface UnknownLoginAction extends Extensible {
  action: UnknownTag;
}

/** The next step of a login. */
export type LoginAction =
  | ChooseMethodAction
  | AuthorizeAction
  | DeviceCodeAction
  | InputAction
  | DoneAction
  | UnknownLoginAction;
export const LoginAction = openUnion<LoginAction>("action", {
  "choose-method": z.looseObject({ action: z.literal("choose-method"), methods: z.array(LoginMethod) }),
  authorize: z.looseObject({
    action: z.literal("authorize"),
    url: z.string(),
    message: z.string(),
    fields: z.optional(fields),
  }),
  "device-code": z.looseObject({
    action: z.literal("device-code"),
    url: z.string(),
    code: z.string(),
    message: z.string(),
  }),
  input: z.looseObject({ action: z.literal("input"), fields }),
  done: z.looseObject({ action: z.literal("done") }),
});

/** The values that the user entered. */
export interface ProvidersLoginInputParams {
  provider: string;
  /** By the keys of the fields. */
  data: UserMap<string>;
}
export const ProvidersLoginInputParams = schemaFor<ProvidersLoginInputParams>()(
  z.looseObject({ provider: z.string(), data: z.record(z.string(), z.string()) }),
);

/** Names a provider. */
export interface ProviderParams {
  provider: string;
}
export const ProviderParams = schemaFor<ProviderParams>()(z.looseObject({ provider: z.string() }));
