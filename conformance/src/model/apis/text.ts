import * as z from "zod";

/** A message's content where it is a text or a list of parts, some of which are texts. */
export const Text = z.union([z.string(), z.array(z.looseObject({ text: z.string().nullish() })), z.null()]).optional();

/** The texts of a content. */
export function textOf(content: z.infer<typeof Text>): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap(({ text }) => text ?? []).join("\n");
}
