import { schemaFor } from "@editwire/core";
import * as z from "zod/mini";
import { type Extensible, meta } from "./extensible.js";

/** A name and its value: an environment variable, or an HTTP header. */
export interface NameValue extends Extensible {
  name: string;
  value: string;
}
export const NameValue = schemaFor<NameValue>()(z.looseObject({ name: z.string(), value: z.string(), _meta: meta }));

/** An MCP server that the agent starts as a child process (section 10). */
export interface McpServerStdio extends Extensible {
  type: "stdio";
  name: string;
  /** Path of the executable. */
  command: string;
  args: string[];
  env: NameValue[];
}

/** An MCP server over HTTP; agents of the spec refuse it (section 10). */
export interface McpServerHttp extends Extensible {
  type: "http";
  name: string;
  url: string;
  headers: NameValue[];
}

/** An MCP server over HTTP with server-sent events; agents of the spec refuse it (section 10). */
export interface McpServerSse extends Extensible {
  type: "sse";
  name: string;
  url: string;
  headers: NameValue[];
}

/** An MCP server that the client asks the agent to use in a session. */
export type McpServer = McpServerStdio | McpServerHttp | McpServerSse;

const remote = { name: z.string(), url: z.string(), headers: z.array(NameValue), _meta: meta };

export const McpServer = schemaFor<McpServer>()(
  z.discriminatedUnion("type", [
    z.looseObject({
      type: z.literal("stdio"),
      name: z.string(),
      command: z.string(),
      args: z.array(z.string()),
      env: z.array(NameValue),
      _meta: meta,
    }),
    z.looseObject({ type: z.literal("http"), ...remote }),
    z.looseObject({ type: z.literal("sse"), ...remote }),
  ]),
);
