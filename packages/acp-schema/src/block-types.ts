/** The types of content blocks. */
const types = ["text", "resource_link", "resource", "image", "audio"] as const;

/** The type of a known content block. */
export type BlockType = (typeof types)[number];

/** Tells the type of a known content block, exactly as the spec writes it. */
export function isBlockType(type: unknown): type is BlockType {
  return (types as readonly unknown[]).includes(type);
}
