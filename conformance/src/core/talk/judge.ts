import { methodOf, type Protocol, validatorOf } from "@editwire/core";
import type { MessageJudge } from "./conversation.js";
import { Echoes, type Misfit, valueAt } from "./echoes.js";
import type { Classified } from "./message.js";
import type { ConformanceProtocol } from "../protocol.js";

type Accept = NonNullable<ConformanceProtocol["accept"]>;
const plain: Accept = (_method, _part, value) => value;

/** Judges the messages of one connection by a protocol's method table. It does not judge methods that are not in it. */
export function judgeOf({ table, accept = plain }: Pick<ConformanceProtocol, "table" | "accept">): MessageJudge {
  const echoes = new Echoes();
  return {
    target(is, asked) {
      const body = bodyOf(table, is, asked, accept);
      const problem = problemOf(is, body);
      return problem !== undefined && body !== undefined && echoes.explain(misfitsOf(body)) ? undefined : problem;
    },
    suite: (is, asked) => problemOf(is, bodyOf(table, is, asked, plain)),
    sent(is) {
      const body = bodyOf(table, is, undefined, plain);
      if (body !== undefined) echoes.add(misfitsOf(body));
    },
  };
}

/** The part of a message that a schema describes. */
interface Body {
  readonly method: string;
  readonly part: "params" | "result";
  readonly schema: Schema;
  readonly value: unknown;
}
type Schema = Exclude<ReturnType<typeof methodOf>, undefined>["params"];

/** `asked` is the method that a result answers. */
function bodyOf(table: Protocol, is: Classified, asked: string | undefined, accept: Accept): Body | undefined {
  if (is.kind === "invalid" || is.kind === "error") return undefined;
  const part = is.kind === "result" ? "result" : "params";
  const method = is.kind === "result" ? asked : is.method;
  const schema = method === undefined ? undefined : schemaOf(table, method, part);
  if (method === undefined || schema === undefined) return undefined;
  const value = is.kind === "result" ? is.result : (is.params ?? {});
  return { method, part, schema, value: accept(method, part, value) };
}

function schemaOf(table: Protocol, method: string, part: "params" | "result"): Schema | undefined {
  const def = methodOf(table, method);
  if (part === "params") return def?.params;
  return def?.kind === "request" ? def.result : undefined;
}

/** Returns the fault of a message, or `undefined`. */
function problemOf(is: Classified, body: Body | undefined): string | undefined {
  if (is.kind === "invalid") return is.problem;
  if (body === undefined) return undefined;
  const { method, part, schema, value } = body;
  const validator = validatorOf(schema);
  if (validator.fits(value)) return undefined;
  const issues = validator.issues(value, part);
  return `${method}: ${issues.map(({ path, message }) => `${path}: ${message}`).join("; ")}`;
}

function misfitsOf({ schema, value }: Body): Misfit[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path }) => ({ path, value: valueAt(value, path) }));
}

/** Says whether a value fits one part of a method. The vectors are judged by it. */
export function fits(table: Protocol, method: string, part: "params" | "result", value: unknown): boolean | undefined {
  const schema = schemaOf(table, method, part);
  return schema === undefined ? undefined : validatorOf(schema).fits(value);
}
