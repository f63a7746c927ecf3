import { methodOf, type Protocol, validatorOf } from "@editwire/core";
import type { MessageJudge } from "./conversation.js";
import type { Classified } from "./message.js";
import type { ConformanceProtocol } from "./protocol.js";

type Accept = NonNullable<ConformanceProtocol["accept"]>;

/** Judges messages by a protocol's method table. It does not judge methods that are not in the table. */
export function judgeOf({
  table,
  accept = (_method, _part, value) => value,
}: Pick<ConformanceProtocol, "table" | "accept">): MessageJudge {
  const plain: Accept = (_method, _part, value) => value;
  return {
    target: (is, asked) => problemOf(table, is, asked, accept),
    suite: (is, asked) => problemOf(table, is, asked, plain),
  };
}

/** What is wrong with a message, or `undefined`. `asked` is the method that a result answers. */
function problemOf(table: Protocol, is: Classified, asked: string | undefined, accept: Accept): string | undefined {
  switch (is.kind) {
    case "invalid":
      return is.problem;
    case "request":
    case "notification": {
      const def = methodOf(table, is.method);
      return def === undefined
        ? undefined
        : issuesOf(def.params, "params", is.method, accept(is.method, "params", is.params ?? {}));
    }
    case "result": {
      const def = asked === undefined ? undefined : methodOf(table, asked);
      if (asked === undefined || def?.kind !== "request") return undefined;
      return issuesOf(def.result, "result", asked, accept(asked, "result", is.result));
    }
    case "error":
      return undefined;
  }
}

function issuesOf(
  schema: Parameters<typeof validatorOf>[0],
  part: string,
  method: string,
  value: unknown,
): string | undefined {
  const validator = validatorOf(schema);
  if (validator.fits(value)) return undefined;
  return `${method}: ${validator
    .issues(value, part)
    .map(({ path, message }) => `${path}: ${message}`)
    .join("; ")}`;
}

/** Says whether a value fits one part of a method. The vectors are judged by it. */
export function fits(table: Protocol, method: string, part: "params" | "result", value: unknown): boolean | undefined {
  const def = methodOf(table, method);
  if (def === undefined || (part === "result" && def.kind !== "request")) return undefined;
  return validatorOf(part === "result" && def.kind === "request" ? def.result : def.params).fits(value);
}
