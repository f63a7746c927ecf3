// P11: schemas made with another copy of zod, of another version: two copies in one program are common.
import { isRemoteError, isWireError } from "@editwire/core";
import { expect, it } from "vitest";
import { memoryPair } from "@editwire/transport";
import * as zod3 from "zod-of-another-version";
import * as otherZod from "zod-of-another-version/v4";
import * as z from "zod";
import { defineAcpExtension, notification, request, serveAcp } from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { RawPeer } from "../../peer/test/raw-peer.js";

const acme = defineAcpExtension({
  "_acme/search": request({
    from: "client",
    params: otherZod.object({ query: otherZod.string() }),
    result: otherZod.object({ hits: otherZod.array(otherZod.string()) }),
  }),
  "_acme/progress": notification({
    from: "agent",
    params: otherZod.object({ sessionId: otherZod.string(), percent: otherZod.number() }),
  }),
});
const search = acme.agent({ "_acme/search": ({ query }) => ({ hits: [query] }) });

it("P11: the copies of zod are two", () => {
  expect(otherZod.ZodError).not.toBe(z.ZodError);
  expect(otherZod.core.version).not.toEqual(z.core.version);
});

it("P11: a schema of zod 3 is refused where it is declared, with its method", () => {
  const params = zod3.object({ query: zod3.string() }) as unknown as z.ZodObject;
  expect(() => defineAcpExtension({ "_acme/old": request({ from: "client", params, result: z.object({}) }) })).toThrow(
    new TypeError("acp: _acme/old params: expected a schema of zod 4 (zod/v4 in zod 3)"),
  );
});

it("P11: messages of another copy of zod arrive, and bad ones are refused before they are sent", async () => {
  const percents: number[] = [];
  const extension = acme.client({ "_acme/progress": ({ percent }) => void percents.push(percent) });
  const { client } = await acpPair(
    {
      prompt: async (turn) =>
        void (await acme.of(turn.session).notify("_acme/progress", { sessionId: turn.session.id, percent: 50 })),
    },
    { client: { extension }, agent: { extension: search } },
  );
  const session = await client.newSession({ cwd: "/work" });
  expect(await session.prompt("go").stopReason).toBe("end_turn");
  expect(percents).toEqual([50]);
  expect(await acme.of(client).request("_acme/search", { query: "tea" })).toEqual({ hits: ["tea"] });
  const refused = await acme
    .of(client)
    .request("_acme/search", { query: 1 as never })
    .catch((error: unknown) => error);
  expect(isWireError(refused, "invalid_params")).toBe(true);
});

it("P11: what another copy of zod refuses is the peer's error -32602, with its place", async () => {
  const [here, there] = memoryPair();
  const serving = serveAcp(here, { prompt: async () => {} }, { extension: search });
  const raw = new RawPeer(there);
  await raw.call("initialize", { protocolVersion: 1 });
  const { error } = await raw.call("_acme/search", { query: 1 });
  expect(error).toMatchObject({ code: -32602 });
  expect(JSON.stringify(error)).toContain("params.query");
  await serving.close();
});

it("P11: a parse of the application's own, in a handler, is not taken for the peer's error", async () => {
  const { client } = await acpPair(
    { prompt: async () => void otherZod.string().parse(1) },
    { agent: { onError: () => {} } },
  );
  const session = await client.newSession({ cwd: "/work" });
  const failed = await session.prompt("go").stopReason.catch((error: unknown) => error);
  expect(isRemoteError(failed, -32603)).toBe(true);
});
