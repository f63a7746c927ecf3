import { methodsOf } from "@editwire/core";
import { eca } from "@editwire/eca-schema";
import { describe, expect, test } from "vitest";

describe("the table", () => {
  test("names every method of the specification, its sender and its section", () => {
    const seed = methodsOf(eca).filter(([, { spec }]) => spec !== undefined);
    expect(seed.map(([name, { from, kind, spec }]) => `${from} ${kind} ${name} ${spec}`)).toEqual([
      "client request initialize #initialize",
      "client notification initialized #initialized",
      "client request shutdown #shutdown",
      "client notification exit #exit",
      "client request chat/prompt #chat-prompt",
      "server notification chat/contentReceived #chat-content-received",
      "client notification chat/toolCallApprove #chat-approve-tool-call",
      "client notification chat/toolCallReject #chat-reject-tool-call",
      "client request chat/queryContext #chat-query-context",
      "client request chat/queryCommands #chat-query-commands",
      "client notification chat/promptStop #chat-stop-prompt",
      "client request chat/delete #chat-delete",
      "server notification tool/serverUpdated #tool-updated",
      "client notification mcp/stopServer #stop-mcp-server",
      "client notification mcp/startServer #start-mcp-server",
      "server notification $/showMessage #showmessage",
    ]);
  });

  test("lets a server or client of 2025 leave out what came later", () => {
    for (const [name, def] of methodsOf(eca))
      if (def.kind === "request") expect(def.optional === true, name).toBe(def.spec === undefined);
  });
});
