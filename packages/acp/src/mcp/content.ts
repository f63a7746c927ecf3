import type { ContentBlock, ToolCallContent } from "@editwire/acp-schema";
import type { CallToolResult } from "@editwire/session/mcp";

type McpBlock = CallToolResult["content"][number];

/** The content of a result of MCP as the output of a tool call: ACP has the same blocks. */
export function toolCallContent(content: readonly McpBlock[] = []): ToolCallContent[] {
  return content.map((block) => ({ type: "content", content: contentBlock(block) }));
}

/** A block of MCP as one of ACP. A type that ACP does not have is named in a text. */
function contentBlock(block: McpBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image":
    case "audio":
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case "resource": {
      const { uri, mimeType, ...rest } = block.resource;
      const type = mimeType === undefined ? {} : { mimeType };
      return "text" in rest
        ? { type: "resource", resource: { uri, text: rest.text, ...type } }
        : { type: "resource", resource: { uri, blob: rest.blob, ...type } };
    }
    case "resource_link": {
      const { uri, name, title, description, mimeType, size } = block;
      const known = { title, description, mimeType, size };
      const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
      return { type: "resource_link", uri, name, ...given };
    }
    default:
      return { type: "text", text: `[${String((block as { type?: unknown }).type)}]` };
  }
}

/** The content of a result as text, for a model that reads text alone; other blocks are named. */
export function textOfContent(content: readonly McpBlock[] = []): string {
  return content.map(textOfBlock).join("\n");
}

function textOfBlock(block: McpBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return "text" in block.resource ? block.resource.text : `[${block.resource.uri}]`;
    case "resource_link":
      return `[${block.uri}]`;
    default:
      return `[${"mimeType" in block ? block.mimeType : String((block as { type?: unknown }).type)}]`;
  }
}
