import { dropNulls, ErrorCode, methodsOf } from "@editwire/core";
import { AcpErrorCode } from "../error-codes.js";
import type { AcpProfile } from "../profiles.js";
import { v2Deviations } from "./deviations.js";
import { acpV2 } from "./protocol.js";
import { acpV2Revision } from "./revision.js";

/**
 * The dialect of version 2. Null stands for absent, except in an upsert, where it clears a field. Forms that are newer
 * than the schema of the official SDK are read, and `missingUpdates` names its updates.
 */
export const acpV2Profile: AcpProfile = {
  name: "v2",
  traits: {
    errorCodes: { sessionNotFound: AcpErrorCode.ResourceNotFound, mcpServersRefused: ErrorCode.InvalidParams },
    replaysOnLoad: true,
    cancelsRequests: true,
    pendingCalls: true,
    onceOptions: false,
    remoteMcpServers: true,
    missingUpdates: acpV2Revision.newer.updates,
    updateCapabilities: {},
  },
  decodeUnfit: Object.fromEntries(
    methodsOf(acpV2).map(([method, def]) => [
      method,
      {
        params: dropNulls(def.params),
        ...(def.kind === "request" ? { result: dropNulls(def.result) } : {}),
      },
    ]),
  ),
  deviations: v2Deviations,
};
