import { openUnion, schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type UnknownContent } from "../content.js";
import { count, type Extensible, meta } from "../extensible.js";
import { text } from "./patch.js";

/** For whom a block is meant, and how much it matters. */
export interface V2Annotations extends Extensible {
  /** `assistant`, `user`, or other words. */
  audience?: string[] | undefined;
  /** The time of the last change, in ISO 8601. */
  lastModified?: string | undefined;
  /** From 0, optional, to 1, most important. */
  priority?: number | undefined;
}
export const V2Annotations = schemaFor<V2Annotations>()(
  z.looseObject({
    audience: z.optional(z.array(z.string())),
    lastModified: text,
    priority: z.optional(z.number().check(z.gte(0), z.lte(1))),
    _meta: meta,
  }),
);

/** Fields that every block may have. */
interface Annotated extends Extensible {
  annotations?: V2Annotations | undefined;
}
const annotated = { annotations: z.optional(V2Annotations), _meta: meta };

/** Plain text or Markdown. */
export interface V2TextContent extends Annotated {
  type: "text";
  text: string;
}

/** A picture. */
export interface V2ImageContent extends Annotated {
  type: "image";
  /** In base64. */
  data: string;
  mimeType: string;
  /** Where the picture comes from. */
  uri?: string | undefined;
}

/** A recording. */
export interface V2AudioContent extends Annotated {
  type: "audio";
  /** In base64. */
  data: string;
  mimeType: string;
}

/** A picture that stands for a resource. */
export interface ResourceIcon extends Extensible {
  /** A URI. */
  src: string;
  mimeType?: string | undefined;
  /** Such as `48x48` or `any`. */
  sizes?: string[] | undefined;
  /** The background that it is made for: `light`, `dark`, or another word. */
  theme?: string | undefined;
}
const ResourceIcon = schemaFor<ResourceIcon>()(
  z.looseObject({ src: z.string(), mimeType: text, sizes: z.optional(z.array(z.string())), theme: text, _meta: meta }),
);

/** A pointer to something that the agent can read by itself. */
export interface V2ResourceLink extends Annotated {
  type: "resource_link";
  uri: string;
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  icons?: ResourceIcon[] | undefined;
  mimeType?: string | undefined;
  /** In bytes. */
  size?: number | undefined;
}

/** The text of an embedded resource. */
interface TextResource extends Extensible {
  uri: string;
  text: string;
  mimeType?: string | undefined;
}

/** The bytes of an embedded resource, in base64. */
interface BlobResource extends Extensible {
  uri: string;
  blob: string;
  mimeType?: string | undefined;
}

/** A resource sent along with its content, as text or as a blob. */
export interface V2EmbeddedResource extends Annotated {
  type: "resource";
  resource: TextResource | BlobResource;
}
const resource = { uri: z.string(), mimeType: text, _meta: meta };

/** One piece of a prompt, of a message or of a tool call's output. */
export type V2ContentBlock =
  | V2TextContent
  | V2ImageContent
  | V2AudioContent
  | V2ResourceLink
  | V2EmbeddedResource
  | UnknownContent;
export const V2ContentBlock = openUnion<V2ContentBlock>("type", {
  text: schemaFor<V2TextContent>()(z.looseObject({ type: z.literal("text"), text: z.string(), ...annotated })),
  image: schemaFor<V2ImageContent>()(
    z.looseObject({ type: z.literal("image"), data: z.string(), mimeType: z.string(), uri: text, ...annotated }),
  ),
  audio: schemaFor<V2AudioContent>()(
    z.looseObject({ type: z.literal("audio"), data: z.string(), mimeType: z.string(), ...annotated }),
  ),
  resource_link: schemaFor<V2ResourceLink>()(
    z.looseObject({
      type: z.literal("resource_link"),
      uri: z.string(),
      name: z.string(),
      title: text,
      description: text,
      icons: z.optional(z.array(ResourceIcon)),
      mimeType: text,
      size: z.optional(count),
      ...annotated,
    }),
  ),
  resource: schemaFor<V2EmbeddedResource>()(
    z.looseObject({
      type: z.literal("resource"),
      resource: z.union(
        [z.looseObject({ ...resource, text: z.string() }), z.looseObject({ ...resource, blob: z.string() })],
        { error: "expected an object with a uri, and text or blob" },
      ),
      ...annotated,
    }),
  ),
});
