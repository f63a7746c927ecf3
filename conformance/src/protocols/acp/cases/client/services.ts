import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@editwire/core";
import { ExpectationError } from "../../../../core/errors.js";
import { makeWorkspace, workspace } from "../../../../core/run/workspace.js";
import type { ClientContext, ClientSession } from "../../client-role.js";

type Json = Record<string, unknown>;

/** A session in a folder of its own, and what the agent asks for in it. */
export interface Service {
  readonly session: ClientSession;
  /** The folder of the session. It stands in another one, which is outside. */
  readonly root: string;
  /** Asks the client, in the session. */
  ask(method: string, params: Json): Promise<Json>;
  /** Asks the client, which has to refuse. */
  refused(method: string, params: Json): Promise<unknown>;
}

/** Whether a client announces a service for agents, such as `fs.readTextFile`. */
export async function declares(t: ClientContext, ...path: readonly string[]): Promise<boolean> {
  const { clientCapabilities } = await t.initialized();
  const found = path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), clientCapabilities);
  return found === true || isObject(found);
}

/** Opens a session in an empty folder, for as long as `use` takes. */
export async function inFolder(t: ClientContext, use: (service: Service) => Promise<void>): Promise<void> {
  t.steer("open a session in a folder of the suite");
  makeWorkspace();
  const outside = mkdtempSync(join(workspace, "services-"));
  const root = join(outside, "root");
  mkdirSync(root);
  try {
    const session = await t.session({ cwd: root });
    const call = (method: string, params: Json) => t.send.request(method, { sessionId: session.id, ...params });
    await use({
      session,
      root,
      ask: (method, params) => call(method, params).result(undefined, { deadline: UNTIL_MS }),
      refused: (method, params) => call(method, params).error(),
    });
  } finally {
    rmSync(outside, { recursive: true, force: true });
  }
}

const POLL_MS = 20;
/** How long a command has to start or to end. */
const UNTIL_MS = 10_000;

/** Asks again and again until the answer is as it should be; an expectation like any other. */
export async function until<T>(t: ClientContext, ask: () => Promise<T>, isRight: (found: T) => boolean): Promise<T> {
  const began = performance.now();
  for (;;) {
    const found = await ask();
    if (isRight(found)) return found;
    if (performance.now() - began > t.time.deadline(UNTIL_MS))
      throw new ExpectationError("timeout", "the expected message did not arrive", { actual: found });
    await t.pace(POLL_MS);
  }
}
