import { chain, type Change, dropNulls, methodsOf, type Places, type Profile, type Rewrites } from "@editwire/core";
import { elephantDeviations, v1Deviations } from "./deviations.js";
import { blocks, mcpServers, toolCalls, toolContents } from "./places.js";
import { acp } from "./protocol.js";
import { bareBlock, completeBlock, pendingByDefault, tagStdio, untagStdio, wrapBlock } from "./wire-forms.js";

/** Makes one change at every place of one kind. */
function everywhere(places: Places, change: Change): Rewrites {
  return Object.fromEntries(
    Object.entries(places).map(([method, place]) => [method, { params: (value: unknown) => place(value, change) }]),
  );
}

/**
 * The spec's own dialect, as its reference implementation writes it; the default.
 * Tool output is written as bare content blocks (a wrapper's own fields are lost then), diffs and terminals as they are.
 */
export const elephant: Profile = {
  name: "elephant",
  encode: everywhere(toolContents, bareBlock),
  decode: everywhere(toolContents, wrapBlock),
  deviations: elephantDeviations,
};

/** What the official dialect writes differently, before its nulls are left out. */
const v1Forms: Rewrites = {
  ...everywhere(mcpServers, tagStdio),
  "session/update": { params: (params) => toolCalls["session/update"](params, pendingByDefault) },
};

/**
 * Today's official dialect: links have a name and media a mimeType on the wire, MCP servers on stdio no type,
 * and null stands for absent.
 */
export const v1: Profile = {
  name: "v1",
  encode: { ...everywhere(blocks, completeBlock), ...everywhere(mcpServers, untagStdio) },
  decode: Object.fromEntries(
    methodsOf(acp).map(([method, def]) => [
      method,
      {
        params: chain(v1Forms[method]?.params ?? ((value) => value), dropNulls(def.params)),
        ...(def.kind === "request" ? { result: dropNulls(def.result) } : {}),
      },
    ]),
  ),
  deviations: v1Deviations,
};
