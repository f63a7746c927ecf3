import { isObject } from "@editwire/core";
import { type HostBehavior, type HostEvent, type Json, rightHost } from "../reference/host-behavior.js";
import { mutantsOf } from "../../../core/mutant.js";

/** How the mutants of hosts are declared. */
export const { broken, each, benign } = mutantsOf<HostBehavior>("helix-zed.host", "HELIX");

/** The same in the 2026 dialect. */
export const in2026 = mutantsOf<HostBehavior>("helix-zed.host", "HELIX", { profile: "v2026", patch: {} });

/** Overrides of the reference host, checked by the compiler. */
const patch = (switches: Partial<HostBehavior>): Partial<HostBehavior> => switches;

/** Changes the data of messages of a type. */
export const sent = (type: string, change: (data: Json) => unknown): Partial<HostBehavior> =>
  patch({
    outgoing: (message) => [
      message["type"] === type
        ? { ...message, data: change(isObject(message["data"]) ? message["data"] : {}) }
        : message,
    ],
  });

/** Passes over events for which `isOdd` holds, or dies of them. */
export const reaction = (reaction: "drop" | "die", isOdd: (event: HostEvent) => boolean): Partial<HostBehavior> =>
  patch({ onEvent: (event) => (isOdd(event) ? reaction : "take") });

/** Has interactions end in other states; `undefined` leaves it to the right one. */
export const ending = (
  stateAfter: (...args: Parameters<HostBehavior["stateAfter"]>) => string | undefined,
): Partial<HostBehavior> =>
  patch({
    stateAfter: (interaction, event) => stateAfter(interaction, event) ?? rightHost.stateAfter(interaction, event),
  });
