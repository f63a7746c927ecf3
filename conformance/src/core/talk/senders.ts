import { type MethodDef, methodsOf } from "@editwire/core";
import { type Classified, idKey } from "./message.js";
import type { ConformanceProtocol } from "../protocol.js";

interface Asked {
  /** Absent if either side may have sent it. */
  readonly from: string | undefined;
  readonly def: MethodDef | undefined;
  answered: boolean;
}

/** The role that sends the messages of a method; `undefined` if both do, or if the protocol lacks it. */
export function senderOf(protocol: ConformanceProtocol, method: string): string | undefined {
  const from = definition(protocol, method)?.from;
  return from === "both" ? undefined : from;
}

/**
 * Tells the senders of a connection's messages by the messages alone; call it with each of them, in order. A call has
 * the sender of its method. An answer is from the side that was asked: where both sides wait for an answer with its id,
 * the one whose result it can be, or else the one that asked last. `undefined` if nothing tells.
 */
export function findSenders(protocol: ConformanceProtocol): (is: Classified) => string | undefined {
  const requests = new Map<string, Asked[]>();
  return (is) => {
    if (is.kind === "invalid") return undefined;
    if (is.kind === "notification") return senderOf(protocol, is.method);
    const asked = requests.get(idKey(is.id)) ?? [];
    if (is.kind === "request") {
      const from = senderOf(protocol, is.method);
      requests.set(idKey(is.id), [{ from, def: definition(protocol, is.method), answered: false }, ...asked]);
      return from;
    }
    const open = asked.filter(({ answered }) => !answered);
    const answered = open.find(({ def }) => is.kind === "result" && hasResult(def, is.result)) ?? open[0];
    if (answered !== undefined) answered.answered = true;
    // A second answer has the sender of the first one, unless both sides have used its id.
    const askers = new Set((answered === undefined ? asked : [answered]).map(({ from }) => from));
    const [from] = askers;
    return from === undefined || askers.size > 1 ? undefined : protocol.table.roles.find((role) => role !== from);
  };
}

function definition({ table }: ConformanceProtocol, method: string): MethodDef | undefined {
  return methodsOf(table).find(([name, { wire = name }]) => wire === method)?.[1];
}

function hasResult(def: MethodDef | undefined, result: unknown): boolean {
  return def?.kind === "request" && def.result.safeParse(result).success;
}
