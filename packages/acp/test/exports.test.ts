import { acpProfiles } from "@editwire/acp-schema";
import { expect, it } from "vitest";
import * as root from "../src/index.js";
import * as node from "../src/node.js";
import * as testing from "../src/testing.js";
import * as unstable from "../src/unstable.js";

/** Names that programs import. One that goes away is a change that breaks them. */
const published = {
  root: [
    "AcpErrorCode",
    "acpProfiles",
    "authRequired",
    "connectAcp",
    "defaultPermissionOptions",
    "dialAcp",
    "ErrorCode",
    "formAnswer",
    "formElicitation",
    "formFields",
    "isAuthRequired",
    "isPromptInProgress",
    "isRemoteError",
    "isSessionNotFound",
    "isWireError",
    "outcomeOf",
    "permissionPolicy",
    "RemoteError",
    "serveAcp",
    "signInKind",
    "signInVariables",
    "specCapabilities",
    "specModes",
    "urlElicitation",
    "WireError",
  ],
  node: [
    "acpHandler",
    "dialAcp",
    "inheritedTerminal",
    "listenAcp",
    "nodeFileSystem",
    "nodeListener",
    "nodeTerminals",
    "serveAcpStdio",
    "spawnAcp",
  ],
  unstable: ["unstableAgent", "unstableClient", "unstableClientOf", "unstableSessionOf", "unstableUpdateOf"],
  testing: ["acpPair"],
};

it.each(Object.entries({ root, node, unstable, testing }))(
  "P17: the entry point %s keeps its names",
  (name, exports) => {
    expect(Object.keys(exports)).toEqual(expect.arrayContaining(published[name as keyof typeof published]));
  },
);

it("P17: dialects are data: a copy of a profile with another name works as the original", async () => {
  const profile = { ...acpProfiles.v1, name: "acme" };
  const { client } = await testing.acpPair(
    { prompt: async (turn) => void turn.usage({ used: 1, size: 2, cost: undefined }) },
    { client: { profile }, agent: { profile } },
  );
  const session = await client.newSession({ cwd: "/work" });
  expect(await session.prompt("go").stopReason).toBe("end_turn");
  expect(session.state.usage).toMatchObject({ used: 1, size: 2 });
});
