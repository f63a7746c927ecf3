import type { OfferedTool } from "../model.js";
import { isSmanToolName, type SmanToolName, smanTools } from "@editwire/sman-schema";
import * as z from "zod";

const descriptions: Readonly<Record<SmanToolName, string>> = {
  grep_file: "Searches one file of the project, or all of them, line by line, for a text or a regular expression.",
  read_file: "Reads a text file of the project: a range of lines, a line with its context, or all of it.",
  call_chain: "Lists the methods that call a method, and those that it calls. The method is written Class.method.",
  apply_change: "Replaces a passage of a file, which must occur exactly once, or creates a file.",
};

/** Params that the connection adds to each call. */
const site: readonly string[] = ["projectKey", "webSocketSessionId"];

/** The four tools as the model sees them. */
export const offeredTools: readonly OfferedTool[] = Object.keys(smanTools)
  .filter(isSmanToolName)
  .map((name) => {
    const { properties = {}, required = [] } = z.toJSONSchema(smanTools[name], { io: "input" });
    const own = Object.entries(properties).filter(([key]) => !site.includes(key));
    return {
      name,
      description: descriptions[name],
      parameters: {
        type: "object",
        properties: Object.fromEntries(own),
        required: required.filter((key) => !site.includes(key)),
      },
    };
  });
