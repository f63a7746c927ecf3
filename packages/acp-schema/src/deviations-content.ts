import { type Change, isObject, kept, repaired } from "@editwire/core";
import { isBlockType } from "./block-types.js";
import { blocks, toolContents } from "./places.js";
import { isToolCallContentType } from "./tool-calls.js";
import { wrapBlock } from "./wire-forms.js";

function typeOf(value: unknown): string | undefined {
  const type = isObject(value) ? value["type"] : undefined;
  return typeof type === "string" ? type : undefined;
}

/** Lower-cases the type of a block or piece of output, if that makes it a known one. */
const lowerType: Change = (value) => {
  const type = typeOf(value);
  const lower = type?.toLowerCase();
  if (lower === type || !(isBlockType(lower) || isToolCallContentType(lower))) return value;
  return { ...(value as object), type: lower };
};

const wrongCase = {
  id: "C10",
  summary: "a content block's type in another case, such as TEXT",
  seen: "clients of elephant.ai, which reads any case",
};

/** The case comes first, so that the rows below see known types. */
export const blockTypeCase = [
  ...repaired({ ...wrongCase, at: toolContents }, (item) => {
    const lower = lowerType(item);
    return lower === item ? item : wrapBlock(lower);
  }),
  ...repaired({ ...wrongCase, at: blocks }, lowerType),
];

export const bareToolContent = repaired(
  {
    id: "C1",
    summary: 'a bare content block as tool output, instead of one in { type: "content" }',
    seen: "elephant.ai",
    at: toolContents,
  },
  wrapBlock,
);

/** Such a resource says where something is, which is what a link says. */
export const emptyResource = repaired(
  {
    id: "C5",
    summary: "an embedded resource with neither text nor blob, read as a link to it",
    seen: "elephant.ai",
    at: blocks,
  },
  (block) => {
    if (!isObject(block) || block["type"] !== "resource" || !isObject(block["resource"])) return block;
    const { resource: _, ...others } = block;
    const { text, blob, ...link } = block["resource"];
    if (typeof text === "string" || typeof blob === "string") return block;
    return { ...link, ...others, type: "resource_link" };
  },
);

export const unknownBlock = kept(
  {
    id: "C11",
    summary: "a content block of a type that the spec does not have",
    seen: "clients of elephant.ai, which skips them",
    at: blocks,
  },
  (block) => typeOf(block) !== undefined && !isBlockType(typeOf(block)?.toLowerCase()),
);

export const unknownToolContent = kept(
  {
    id: "unknown-tool-content",
    summary: "tool output of a type that the protocol does not have",
    seen: "no recorded peer",
    at: toolContents,
  },
  (item) => {
    const type = typeOf(item)?.toLowerCase();
    return type !== undefined && !isToolCallContentType(type) && !isBlockType(type);
  },
);

export const namelessLink = kept(
  {
    id: "C3",
    summary: "a resource_link without a name",
    seen: "elephant.ai and clients written against its spec",
    at: blocks,
  },
  (block) => isObject(block) && block["type"] === "resource_link" && block["name"] === undefined,
);

export const mediumWithoutMimeType = kept(
  {
    id: "C4",
    summary: "an image or audio block without a mimeType",
    seen: "clients written against elephant.ai's spec",
    at: blocks,
  },
  (block) =>
    isObject(block) && (block["type"] === "image" || block["type"] === "audio") && block["mimeType"] === undefined,
);
