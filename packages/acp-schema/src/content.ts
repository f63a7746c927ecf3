import { openUnion, schemaFor, type UnknownTag } from "@editwire/core";
import * as z from "zod/mini";
import { type BlockType, isBlockType } from "./block-types.js";
import { type Extensible, meta } from "./extensible.js";

/** For whom a block is meant, and how much it matters (version 1). */
export interface Annotations extends Extensible {
  audience?: ("assistant" | "user")[] | undefined;
  /** The time of the last change, in ISO 8601. */
  lastModified?: string | undefined;
  /** From 0, optional, to 1, most important. */
  priority?: number | undefined;
}
export const Annotations = schemaFor<Annotations>()(
  z.looseObject({
    audience: z.optional(z.array(z.enum(["assistant", "user"]))),
    lastModified: z.optional(z.string()),
    priority: z.optional(z.number()),
    _meta: meta,
  }),
);

/** Fields that every block may have. */
interface Annotated extends Extensible {
  annotations?: Annotations | undefined;
}
const annotated = { annotations: z.optional(Annotations), _meta: meta };

/** Plain text or Markdown (section 7). */
export interface TextContent extends Annotated {
  type: "text";
  text: string;
}
export const TextContent = schemaFor<TextContent>()(
  z.looseObject({ type: z.literal("text"), text: z.string(), ...annotated }),
);

/** A pointer to something that the agent can read by itself (section 7). */
export interface ResourceLink extends Annotated {
  type: "resource_link";
  uri: string;
  name?: string | undefined;
  title?: string | undefined;
  mimeType?: string | undefined;
  description?: string | undefined;
  /** In bytes. */
  size?: number | undefined;
}
export const ResourceLink = schemaFor<ResourceLink>()(
  z.looseObject({
    type: z.literal("resource_link"),
    uri: z.string(),
    name: z.optional(z.string()),
    title: z.optional(z.string()),
    mimeType: z.optional(z.string()),
    description: z.optional(z.string()),
    size: z.optional(z.int()),
    ...annotated,
  }),
);

/** The text of an embedded resource (section 7). */
export interface TextResource extends Extensible {
  uri: string;
  text: string;
  blob?: string | undefined;
  mimeType?: string | undefined;
}

/** The bytes of an embedded resource, in base64 (section 7). */
export interface BlobResource extends Extensible {
  uri: string;
  blob: string;
  text?: string | undefined;
  mimeType?: string | undefined;
}

const resource = {
  uri: z.string(),
  text: z.optional(z.string()),
  blob: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  _meta: meta,
};

/** A resource sent along with its content, as text or as a blob (section 7). */
export interface EmbeddedResource extends Annotated {
  type: "resource";
  resource: TextResource | BlobResource;
}
export const EmbeddedResource = schemaFor<EmbeddedResource>()(
  z.looseObject({
    type: z.literal("resource"),
    resource: z.union(
      [z.looseObject({ ...resource, text: z.string() }), z.looseObject({ ...resource, blob: z.string() })],
      {
        error: "expected an object with a uri, and text or blob",
      },
    ),
    ...annotated,
  }),
);

/** A picture (section 7). */
export interface ImageContent extends Annotated {
  type: "image";
  /** In base64. */
  data: string;
  mimeType?: string | undefined;
  /** Where the picture comes from. */
  uri?: string | undefined;
}
export const ImageContent = schemaFor<ImageContent>()(
  z.looseObject({
    type: z.literal("image"),
    data: z.string(),
    mimeType: z.optional(z.string()),
    uri: z.optional(z.string()),
    ...annotated,
  }),
);

/** A recording (section 7). */
export interface AudioContent extends Annotated {
  type: "audio";
  /** In base64. */
  data: string;
  mimeType?: string | undefined;
}
export const AudioContent = schemaFor<AudioContent>()(
  z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.optional(z.string()), ...annotated }),
);

/** A block of a type that this version does not know; it is kept as it came. */
export interface UnknownContent extends Extensible {
  type: UnknownTag;
}

/** One piece of a prompt, of a message or of a tool call's output (section 7). */
export type ContentBlock = TextContent | ResourceLink | EmbeddedResource | ImageContent | AudioContent | UnknownContent;

const blocks = {
  text: TextContent,
  resource_link: ResourceLink,
  resource: EmbeddedResource,
  image: ImageContent,
  audio: AudioContent,
} satisfies Record<BlockType, unknown>;

/** Refuses `TEXT` and the like: a known type in the wrong case is a deviation, not a new type. */
export const ContentBlock = openUnion<ContentBlock>("type", blocks, (type) => !isBlockType(type.toLowerCase()));
