import { eca, type EcaProfile, ecaProfiles } from "@editwire/eca-schema";
import { deviationsOf, methodsOf, type Part, type Protocol, repair, rewrite } from "@editwire/core";

type Json = Record<string, unknown>;

/** The methods that only the 2026 dialect has. */
export const v2026Table: Protocol = {
  ...eca,
  methods: Object.fromEntries(methodsOf(eca).filter(([, { spec }]) => spec === undefined)),
};

/** The dialect with every element of a list: one that cannot be read is the fault of who wrote it. */
const judged: EcaProfile = {
  ...ecaProfiles.v2026,
  deviations: (ecaProfiles.v2026.deviations ?? []).filter(({ id }) => id !== "unreadable-element"),
};

/** Reads a value as a 2026 peer writes it. */
export const acceptV2026 = (method: string, part: Part, value: unknown): unknown =>
  repair(judged, method, part, rewrite(judged.decode, method, part, value), () => {});

/** The rows of the deviations table of the 2026 dialect that a value needs. */
export function v2026Forms(method: string, part: Part, value: unknown): readonly string[] {
  return deviationsOf(judged, method, part, rewrite(judged.decode, method, part, value)).map(({ id }) => id);
}

/** The messages of a 2026 server at the start; editors wait for some of them. */
export const v2026Greeting: readonly (readonly [method: string, params: Json])[] = [
  ["$/progress", { type: "start", taskId: "models", title: "Models" }],
  [
    "config/updated",
    {
      chat: {
        models: ["suite/one", "suite/two"],
        agents: ["code", "plan"],
        behaviors: ["code", "plan"],
        selectModel: "suite/one",
        selectAgent: "code",
        selectBehavior: "code",
        welcomeMessage: "Welcome to the conformance suite\n",
      },
    },
  ],
  ["$/progress", { type: "finish", taskId: "models", title: "Models" }],
];

/** Notifications of a 2026 server besides contents, about one chat or none. */
export const v2026Notifications = (chatId: string): readonly (readonly [method: string, params: Json])[] => [
  ...v2026Greeting,
  [
    "config/updated",
    { chatId, chat: { selectModel: "suite/two", variants: [], selectVariant: null, selectTrust: false } },
  ],
  ["chat/opened", { chatId: "no-such-chat", title: "A chat" }],
  ["chat/opened", { chatId, title: "This chat" }],
  ["chat/statusChanged", { chatId, status: "running" }],
  ["chat/deleted", { chatId: "no-such-chat" }],
  ["tool/serverRemoved", { name: "no-such-server" }],
  [
    "providers/updated",
    { id: "anthropic", label: "Anthropic", configured: true, auth: { status: "unauthenticated" }, models: [] },
  ],
  [
    "jobs/updated",
    {
      jobs: [
        {
          id: "job-1",
          type: "shell",
          status: "running",
          label: "npm test",
          summary: null,
          exitCode: null,
          startedAt: "2026-01-01T00:00:00Z",
          elapsed: "1s",
          chatId,
          chatLabel: "This chat",
        },
      ],
    },
  ],
  ["rewrite/contentReceived", { rewriteId: "no-such-rewrite", content: { type: "started" } }],
];

const tool = { origin: "server", id: "v2026-tool", name: "search", server: "web", arguments: {} };

/** Contents that only the 2026 dialect has. */
export const v2026Contents: readonly (readonly [role: string, content: Json])[] = [
  ["system", { type: "metadata", title: "A title" }],
  ["user", { type: "text", text: "Hello\n", contentId: "content-1" }],
  ["assistant", { type: "image", mediaType: "image/png", base64: "aGk=" }],
  ["system", { type: "hookActionStarted", actionType: "shell", id: "hook-1", name: "lint" }],
  ["system", { type: "hookActionFinished", actionType: "shell", id: "hook-1", name: "lint", status: 0 }],
  ["system", { type: "flag", text: "Here", contentId: "content-1" }],
  ["assistant", { type: "toolCallPrepare", ...tool, argumentsText: "{}" }],
  ["assistant", { type: "toolCallRun", ...tool, manualApproval: false }],
  ["assistant", { type: "toolCallRunning", ...tool }],
  ["assistant", { type: "toolCallRejected", ...tool, reason: "userConfigDeny" }],
  ["system", { type: "usage", sessionTokens: 3, lastMessageCost: "0.01", limit: { context: 1000, output: 100 } }],
];
