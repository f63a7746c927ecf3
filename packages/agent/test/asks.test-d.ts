import type { AcpAgentClient, AcpClient, AcpSession, AcpTerminal, AcpAgentTurn } from "@editwire/acp";
import type { EcaClient, EcaServerConnection, EcaServerTurn, EcaSession } from "@editwire/eca";
import type { KaiakClient, KaiakSession } from "@editwire/kaiak";
import type { SmanBackend, SmanIde } from "@editwire/sman";
import { expectTypeOf, test } from "vitest";

/** The names that a parameter declares; one that takes any name, such as a message, declares none. */
type Declared<Param> = string extends keyof NonNullable<Param> ? never : keyof NonNullable<Param>;

/** Whether one of the parameters takes `signal` and `timeoutMs`. */
type TakesAskOptions<Params extends readonly unknown[]> = {
  [Index in keyof Params]: "signal" | "timeoutMs" extends Declared<Params[Index]> ? true : never;
}[number];

/** The methods that return a promise and take no `{ signal, timeoutMs }`. */
type WithoutAskOptions<T> = {
  [Name in keyof T & string]: T[Name] extends (...params: infer Params) => Promise<unknown>
    ? [TakesAskOptions<Required<Params>>] extends [never]
      ? Name
      : never
    : never;
}[keyof T & string];

test("every helper of a client that sends a request takes { signal, timeoutMs }; others send notifications", () => {
  expectTypeOf<WithoutAskOptions<AcpClient>>().toEqualTypeOf<"close">();
  expectTypeOf<WithoutAskOptions<AcpSession>>().toEqualTypeOf<"cancel">();
  expectTypeOf<WithoutAskOptions<EcaClient>>().toEqualTypeOf<"close" | "changeWorkspaceFolders">();
  expectTypeOf<WithoutAskOptions<EcaClient["mcp"]>>().toEqualTypeOf<McpNotifications>();
  expectTypeOf<WithoutAskOptions<EcaClient["providers"]>>().toEqualTypeOf<never>();
  expectTypeOf<WithoutAskOptions<EcaClient["jobs"]>>().toEqualTypeOf<never>();
  expectTypeOf<WithoutAskOptions<EcaSession>>().toEqualTypeOf<"cancel" | "steer" | "cancelSteer">();
  expectTypeOf<WithoutAskOptions<KaiakClient>>().toEqualTypeOf<"close">();
  expectTypeOf<WithoutAskOptions<KaiakSession>>().toEqualTypeOf<"cancel">();
  expectTypeOf<WithoutAskOptions<SmanBackend>>().toEqualTypeOf<"close">();
  expectTypeOf<WithoutAskOptions<SmanIde>>().toEqualTypeOf<"close">();
});

type McpNotifications = "start" | "stop" | "enable" | "disable" | "login" | "logout";

test("every helper of an agent that sends a request does too; in a turn, questions wait for the user", () => {
  expectTypeOf<WithoutAskOptions<AcpAgentClient>>().toEqualTypeOf<never>();
  expectTypeOf<WithoutAskOptions<AcpTerminal>>().toEqualTypeOf<"release">();
  expectTypeOf<WithoutAskOptions<AcpAgentTurn>>().toEqualTypeOf<"toolCall" | "requestPermission">();
  expectTypeOf<WithoutAskOptions<EcaServerConnection["editor"]>>().toEqualTypeOf<never>();
  expectTypeOf<WithoutAskOptions<EcaServerTurn>>().toEqualTypeOf<"toolCall">();
});
