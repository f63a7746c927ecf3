import { roleOf } from "../talk/find.js";
import { type Connection, openConnection } from "../talk/connection.js";
import { ExpectationError } from "../errors.js";
import { openTalk } from "../talk/open-talk.js";
import type { ConformanceProtocol, FoundDialect } from "../protocol.js";
import { scaledTime } from "../talk/time.js";
import { type Target, TargetError } from "../../wire/link.js";

/** How a target is asked. */
export interface DialectSearch {
  readonly protocol: ConformanceProtocol;
  readonly role: string;
  readonly target: Target;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
  /** Called for a target that said nothing in 30 s. */
  readonly onSilent?: (() => void) | undefined;
}

const START_MS = 30_000;
const GRACE_MS = 1_000;

/**
 * Finds out which dialect a target speaks. `undefined` for a protocol that has no way to tell, and for a target that
 * cannot be reached or asked: the run will say why.
 */
export async function findDialect({
  protocol,
  role,
  target,
  signal,
  onSilent,
}: DialectSearch): Promise<FoundDialect | undefined> {
  const { dialectOf } = roleOf(protocol, role);
  const [profile] = protocol.profiles;
  if (dialectOf === undefined || profile === undefined) return undefined;
  const opened: Connection[] = [];
  const stop = (): void => void Promise.all(opened.map((each) => each.close()));
  signal?.addEventListener("abort", stop);
  try {
    return await dialectOf({
      transport: target.transport,
      async open(framing = protocol.framing ?? "line") {
        const options = {
          protocol,
          profile,
          role,
          target,
          framing,
          faults: [],
          seed: 1,
          graceMs: GRACE_MS,
          over: signal,
        };
        const connection = await openConnection(options);
        opened.push(connection);
        const { conversation, fatal } = connection;
        return openTalk({ conversation, time: scaledTime(), deadline: START_MS, fatal: fatal.lenient() });
      },
    });
  } catch (error) {
    if (error instanceof ExpectationError && error.miss === "timeout") onSilent?.();
    if (error instanceof TargetError || error instanceof ExpectationError) return undefined;
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await Promise.all(opened.map((each) => each.close()));
  }
}
