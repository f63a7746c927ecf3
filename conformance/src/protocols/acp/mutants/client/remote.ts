import { mutant, type Mutant } from "../../../../core/mutant.js";
import type { StreamableClientBehavior } from "../../reference/streamable-client.js";
import type { WsClientBehavior } from "../../reference/ws-client.js";

type More = Pick<Mutant, "cases" | "collateral" | "patch">;

const remote = (
  id: string,
  violates: readonly string[],
  http: Partial<StreamableClientBehavior>,
  more: More = {},
): Mutant => mutant(`acp.client/remote-${id}`, { violates, ...more, profile: "v1", http });

const socket = (
  id: string,
  violates: readonly string[],
  webSocket: Partial<WsClientBehavior>,
  more: More = {},
): Mutant => mutant(`acp.client/socket-${id}`, { violates, ...more, profile: "v1", webSocket });

const remoteCases = { cases: ["acp.client.remote.*"] };

/** Clients that are wrong on Streamable HTTP or a WebSocket, and some that are right. */
export const remoteMutants: readonly Mutant[] = [
  remote("benign", [], {}, remoteCases),
  remote("benign-charset", [], { contentType: "application/json; charset=utf-8" }, remoteCases),
  remote("posts-text", ["ACP-REMOTE-010"], { contentType: "text/plain" }),
  remote("takes-anything", ["ACP-REMOTE-011"], { accept: "*/*" }),
  remote("deletes-unnamed", ["ACP-REMOTE-012"], { names: (verb) => verb !== "DELETE" }),
  ...["POST", "GET"].map((unnamed) =>
    remote(
      `${unnamed.toLowerCase()}s-unnamed`,
      ["ACP-REMOTE-012"],
      { names: (verb) => verb !== unnamed },
      // A session/new that was refused does not count as sent.
      { cases: ["acp.client.remote.connection"], collateral: ["ACP-SESSION-008"] },
    ),
  ),
  remote("posts-without-session", ["ACP-REMOTE-013"], { scopes: ({ method }) => method === undefined }),
  remote("cancels-without-session", ["ACP-REMOTE-013"], { scopes: ({ method }) => method !== "session/cancel" }),
  remote("modes-without-session", ["ACP-REMOTE-013"], { scopes: ({ method }) => method !== "session/set_mode" }),
  remote("answers-without-session", ["ACP-REMOTE-013"], { scopes: ({ method }) => method !== undefined }),
  remote(
    "one-stream",
    ["ACP-REMOTE-014"],
    { streams: (session) => session === "" },
    {
      cases: ["acp.client.remote.streams"],
      collateral: ["ACP-RPC-011", "ACP-TURN-011", "ACP-PERM-005", "ACP-CANCEL-005", "ACP-CANCEL-006"],
    },
  ),
  remote("drops-cookies", ["ACP-REMOTE-015"], { returnsCookies: () => false }),
  remote("cookies-of-posts", ["ACP-REMOTE-015"], { returnsCookies: (verb) => verb === "POST" }),
  remote("leaves-silently", ["ACP-REMOTE-016"], { ends: false }),
  remote("overlooks-refusals", ["ACP-REMOTE-017"], { noticesRefusals: false }),
  socket("benign", [], {}, { cases: ["acp.client.remote.*"] }),
  socket("dials-elsewhere", ["ACP-REMOTE-018"], { dials: (url) => url.replace(/\/acp$/, "/ws") }),
  socket(
    "begins-with-a-session",
    ["ACP-REMOTE-019"],
    {},
    {
      collateral: ["ACP-INIT-003", "ACP-SESSION-008"],
      patch: { beforeInitialize: () => [{ method: "session/new", params: { cwd: "/tmp", mcpServers: [] } }] },
    },
  ),
  socket("dies-of-binary", ["ACP-REMOTE-020"], { ignoresBinary: false }),
  socket("sends-binary", ["ACP-FRAME-001"], { binary: true }),
];
