import { defineAcpExtension, request } from "@editwire/acp";
import { acpPair } from "@editwire/acp/testing";
import * as z from "zod";

const acme = defineAcpExtension({
  "_acme/search": request({
    from: "client",
    params: z.object({ query: z.string() }),
    result: z.object({ hits: z.array(z.string()) }),
  }),
});

const { client } = await acpPair(
  { prompt: async () => {} },
  {
    agent: { extension: acme.agent({ "_acme/search": ({ query }) => ({ hits: [`${query}.ts`] }) }) },
    client: { extension: acme.client({}) },
  },
);
const { hits } = await acme.of(client).request("_acme/search", { query: "turn" });
console.log("found", hits);
await client.close();
