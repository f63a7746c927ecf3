import { isObject } from "@editwire/core";
import { defineCases } from "../../agent-role.js";

const header = { isolation: "unopened" } as const;

const objectAt = (value: unknown, field: string): Record<string, unknown> => {
  const found = isObject(value) ? value[field] : undefined;
  return isObject(found) ? found : {};
};

/** Sections 3, 5.1 and 5.2: the beginning of a connection. */
export const initializeCases = [
  ...defineCases(
    {
      "initialize.version": {
        title: "initialize is answered with protocol version 1",
        emits: ["ACP-INIT-001"],
        smoke: true,
        async run(t) {
          const result = await t.initialized();
          t.check("ACP-INIT-001", result["protocolVersion"] === 1, {
            expected: "protocolVersion 1",
            actual: result["protocolVersion"],
          });
        },
      },
    },
    header,
  ),
  ...[
    {
      name: "other-version",
      title: "any other protocolVersion is answered with 1",
      req: "ACP-INIT-013",
      params: {
        protocolVersion: 2,
        clientInfo: { name: "editwire-conformance", version: "0.1.0" },
        clientCapabilities: {},
      },
    },
    {
      name: "version-zero",
      title: "protocolVersion 0 is answered with 1",
      req: "ACP-INIT-013",
      params: { protocolVersion: 0 },
    },
    {
      name: "minimal",
      title: "a protocolVersion and nothing else is enough",
      req: "ACP-INIT-010",
      params: { protocolVersion: 1 },
    },
  ].flatMap(({ name, title, req, params }) =>
    defineCases(
      {
        [`initialize.${name}`]: {
          title,
          emits: [req],
          async run(t) {
            const { protocolVersion } = await t.require(req, t.send.request("initialize", params).result());
            t.check(req, protocolVersion === 1, { expected: "protocolVersion 1", actual: protocolVersion });
          },
        },
      },
      header,
    ),
  ),
  ...defineCases({
    "initialize.capabilities": {
      title: "the answer to initialize reports what the agent can do",
      emits: ["ACP-INIT-004", "ACP-INIT-005", "ACP-INIT-006", "ACP-INIT-007"],
      async run(t) {
        const { agentCapabilities, authMethods = [] } = await t.initialized();
        const prompt = objectAt(agentCapabilities, "promptCapabilities");
        const mcp = objectAt(agentCapabilities, "mcpCapabilities");
        const { loadSession, sessionCapabilities } = isObject(agentCapabilities) ? agentCapabilities : {};
        const told = [loadSession, prompt["audio"], prompt["image"], prompt["embeddedContext"]].every(
          (value) => typeof value === "boolean",
        );
        t.check("ACP-INIT-004", told, {
          expected: "loadSession and promptCapabilities.{audio,image,embeddedContext}, each true or false",
          actual: agentCapabilities,
        });
        t.check("ACP-INIT-005", mcp["http"] !== true && mcp["sse"] !== true, {
          expected: "mcpCapabilities.http and .sse false or absent",
          actual: mcp,
        });
        t.check("ACP-INIT-006", Array.isArray(authMethods) && authMethods.length === 0, {
          expected: "no authMethods",
          actual: authMethods,
        });
        t.check("ACP-INIT-007", isObject(sessionCapabilities) && Object.keys(sessionCapabilities).length === 0, {
          expected: "{}",
          actual: sessionCapabilities,
        });
      },
    },
  }),
  ...defineCases(
    {
      "initialize.no-version": {
        title: "initialize without a protocolVersion is refused",
        emits: ["ACP-INIT-002"],
        async run(t) {
          const id = t.conversation.freshId();
          await t.require(
            "ACP-INIT-002",
            t.send.invalid({ jsonrpc: "2.0", id, method: "initialize", params: {} }).error(),
          );
        },
      },
    },
    header,
  ),
  ...defineCases({
    authenticate: {
      title: "authenticate is answered with an empty object",
      emits: ["ACP-AUTH-001"],
      async run(t) {
        await t.initialized();
        const result = await t.require("ACP-AUTH-001", t.send.request("authenticate", { methodId: "none" }).result());
        t.check("ACP-AUTH-001", isObject(result) && Object.keys(result).length === 0, {
          expected: "{}",
          actual: result,
        });
      },
    },
    "authenticate.no-op": {
      title: "authenticate changes nothing for a session",
      emits: ["ACP-AUTH-001"],
      needs: ["text"],
      async run(t) {
        const [first, second] = [await t.session(), await t.session()];
        const ends = (session: typeof first): Promise<boolean> =>
          t
            .prompt(session, t.say("text"))
            .result({ stopReason: "end_turn" })
            .then(
              () => true,
              () => false,
            );
        // An agent's faults before it are judged elsewhere, too.
        const usual = await ends(first);
        await t.send.request("authenticate", { methodId: "none" }).response();
        t.check("ACP-AUTH-001", (await ends(second)) || !usual, {
          expected: "a turn of a session that was opened before",
          message: "session/prompt fails after authenticate",
        });
      },
    },
  }),
];
