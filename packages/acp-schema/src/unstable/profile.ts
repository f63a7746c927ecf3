import {
  chain,
  type Change,
  dropNulls,
  isObject,
  mapField,
  mapItems,
  methodsOf,
  nullLists,
  type Rewrites,
} from "@editwire/core";
import { acpProfiles, type AcpProfile } from "../profiles.js";
import { completeBlock, tagStdio, untagStdio } from "../wire-forms.js";
import { acpUnstable } from "./protocol.js";

const { encode = {}, decode = {}, deviations = [], ...official } = acpProfiles.v1;

const everyServer: (change: Change) => Change = (change) => (params) =>
  mapField(params, "mcpServers", (servers) => mapItems(servers, change));

const completeMessage: Change = (update) => {
  const kind = isObject(update) ? update["sessionUpdate"] : undefined;
  if (kind === "session_message") return mapField(update, "content", (blocks) => mapItems(blocks, completeBlock));
  return kind === "session_message_chunk" ? mapField(update, "content", completeBlock) : update;
};

/** One more change of the params of a method. */
function then(rewrites: Rewrites, method: string, change: Change): Rewrites {
  const { params, ...others } = rewrites[method] ?? {};
  return { ...rewrites, [method]: { ...others, params: params === undefined ? change : chain(params, change) } };
}

/** The official dialect, `acpProfiles.v1`, with what is unstable. */
export const acpUnstableProfile: AcpProfile = {
  ...official,
  traits: {
    ...official.traits,
    updateCapabilities: {
      ...official.traits.updateCapabilities,
      plan_update: "plan",
      plan_removed: "plan",
      subagent_update: "subagents",
      session_message: "subagents",
      session_message_chunk: "subagents",
    },
  },
  encode: then(then(encode, "session/fork", everyServer(untagStdio)), "session/update", (params) =>
    mapField(params, "update", completeMessage),
  ),
  decode: then(decode, "session/fork", everyServer(tagStdio)),
  deviations: [...deviations, ...nullLists(acpUnstable)],
  // Rows that share a name on the wire have the same params.
  decodeUnfit: Object.fromEntries(
    methodsOf(acpUnstable)
      .filter(([, { wire }]) => wire === undefined)
      .map(([method, def]) => [
        method,
        { params: dropNulls(def.params), ...(def.kind === "request" ? { result: dropNulls(def.result) } : {}) },
      ]),
  ),
};
