import { acp } from "@editwire/acp-schema";
import { methodsOf, type Protocol } from "@editwire/core";

/** Offered by a session and not by the agent, so it has cases of its own. */
const special = "session/set_config_option";

/** The methods of the specification and of the official dialect. */
export const table: Protocol = {
  ...acp,
  methods: Object.fromEntries(methodsOf(acp).filter(([method]) => method !== special)),
};
