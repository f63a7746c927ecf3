import { connect, defineProtocol, type Envelope, notification, request } from "@editwire/core";
import { taggedPeer } from "@editwire/peer";
import { memoryPair } from "@editwire/transport";
import * as z from "zod";

const tools = defineProtocol({
  name: "tools",
  version: "1",
  roles: ["backend", "plugin"],
  methods: {
    TOOL_CALL: request({
      from: "backend",
      params: z.looseObject({ tool: z.string() }),
      result: z.looseObject({ text: z.string() }),
      reply: { name: "TOOL_RESULT", by: "callId" },
    }),
    PROGRESS: notification({ from: "plugin", params: z.looseObject({ session: z.string(), percent: z.number() }) }),
  },
});

const envelope: Envelope<"backend" | "plugin"> = {
  backend: { form: { name: "type" } },
  plugin: { form: { name: "event", params: "data", beside: ["session"] } },
};

const [here, there] = memoryPair();
const onWire = (direction: string, message: unknown): void => console.log(direction, JSON.stringify(message));
const backend = connect(
  tools,
  "backend",
  taggedPeer(here, { protocol: tools, self: "backend", envelope }, { onWire }),
  {},
);
const plugin = connect(tools, "plugin", taggedPeer(there, { protocol: tools, self: "plugin", envelope }), {
  TOOL_CALL: async ({ tool }) => {
    await plugin.notify("PROGRESS", { session: "s1", percent: 50 });
    return { text: `ran ${tool}` };
  },
});

const { text } = await backend.request("TOOL_CALL", { tool: "read_file" }, { timeoutMs: 30_000 });
console.log(text);
await backend.close();
