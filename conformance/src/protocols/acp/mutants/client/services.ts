import type { Mutant } from "../../../../core/mutant.js";
import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { serviceSchemaMutants } from "../services-schema.js";
import { v1Client } from "../../reference/client-services.js";
import { benignOffering, inV1, offering, each } from "./patch.js";

/** Serves what it does not offer. */
const serving = (method: RegExp): Partial<ClientBehavior> => ({ serves: (name) => method.test(name) });

const { launch, lines, writeFile, elicited } = rightClient;

/** Reads no file a second time. */
function fromMemory(): Partial<ClientBehavior> {
  let first: string | undefined;
  return {
    lines(content, ...part) {
      first ??= content;
      return lines(first, ...part);
    },
  };
}

const files: readonly Mutant[] = [
  ...offering({
    "files-in-ascii": [["FS-001", "FS-002"], { lines: (...all) => lines(...all).replace(/[^\n -~]/g, "?") }],
    "files-from-memory": ["FS-001", fromMemory, { cases: ["files.write"] }],
    "line-is-ignored": ["FS-002", { lines: (content, _line, limit) => lines(content, 1, limit) }],
    "limit-is-ignored": ["FS-002", { lines: (content, line) => lines(content, line, undefined) }],
    "creates-no-file": [
      "FS-003",
      { writeFile: (path, content) => (path.endsWith("new.txt") ? undefined : writeFile(path, content)) },
    ],
    "writes-nothing": ["FS-003", { writeFile: (path) => writeFile(path, "") }],
    "files-by-the-beginning-of-a-path": ["FS-004", { isInside: (path, root) => path.startsWith(root) }],
    "missing-files-are-empty": ["FS-005", { missing: () => ({ result: { content: "" } }) }],
  }),
  ...inV1({
    "reads-unasked": ["FS-006", serving(/^fs\/read/)],
    "writes-unasked": ["FS-006", serving(/^fs\/write/)],
  }),
];

const terminals: readonly Mutant[] = [
  ...offering({
    "terminals-wait": ["TERM-001", { created: (exit) => exit }],
    "one-terminal-id": ["TERM-014", { terminalId: () => "terminal" }],
    "output-without-errors": ["TERM-002", { takesErrors: false }],
    "never-ended": ["TERM-002", { exitStatus: () => ({}) }],
    "exit-at-once": ["TERM-003", { waitForExit: () => Promise.resolve({ exitCode: 0, signal: null }) }],
    "exit-code-is-lost": ["TERM-003", { waitForExit: async (exit) => ({ ...(await exit), exitCode: 0 }) }],
    "arguments-in-one": [
      "TERM-004",
      {
        launch: (params, root) => {
          const { args, ...rest } = launch(params, root);
          return { ...rest, args: [...args.slice(0, 2), ...args.slice(2).flatMap((one) => one.split(" "))] };
        },
      },
    ],
    "environment-is-lost": ["TERM-004", { launch: (params, root) => ({ ...launch(params, root), env: {} }) }],
    "commands-in-the-folder-of-the-session": [
      "TERM-004",
      { launch: (params, root) => ({ ...launch(params, root), cwd: root }) },
    ],
    "output-without-a-limit": ["TERM-005", { kept: (output) => output }],
    "silent-about-the-limit": ["TERM-005", { truncated: () => false }],
    "cuts-characters": [
      ["TERM-006", "TERM-005"],
      { kept: (output, limit) => (typeof limit === "number" ? output.subarray(-limit) : output) },
    ],
    "kill-does-nothing": ["TERM-007", { kill: () => {} }],
    "kill-releases": ["TERM-007", { killReleases: true }],
    "release-leaves-the-command": ["TERM-008", { release: () => {} }],
    "released-terminals-are-there": ["TERM-009", { forgets: false }],
  }),
  ...inV1({ "terminal-unasked": ["TERM-010", serving(/^terminal\//)] }),
];

const questions: readonly Mutant[] = [
  ...offering({
    "form-never-accepted": [
      "ELICIT-001",
      { elicited: (params, user) => (user["action"] === "accept" ? { action: "decline" } : elicited(params, user)) },
    ],
    ...each(["decline", "cancel"], (action) => ({
      [`form-never-${action}`]: [
        "ELICIT-002",
        {
          elicited: (params, user) =>
            elicited(params, user["action"] === action ? { action: action === "cancel" ? "decline" : "cancel" } : user),
        },
      ],
    })),
  }),
  ...offering({ "form-without-limits": ["ELICIT-003", { isWithin: () => true }] }),
  ...inV1({ "form-unasked": ["ELICIT-004", serving(/^elicitation\//)] }),
  ...offering({
    "signs-in-with-anything": [
      "AUTH-003",
      {
        signInProblem: (id, all) =>
          all.some((one) => one["id"] === id) ? rightClient.signInProblem(id, all) : undefined,
      },
    ],
    "passes-programs-to-authenticate": [
      "AUTH-004",
      {
        signInProblem: (id, all) =>
          rightClient.signInProblem(
            id,
            all.map(({ type: _type, ...rest }) => rest),
          ),
      },
    ],
    "logs-out-unasked": ["AUTH-005", { mayCall: () => true }],
  }),
];

const seenIn: Readonly<Record<string, string>> = {
  "fs/read_text_file": "files.read",
  "fs/write_text_file": "files.write",
  "terminal/kill": "terminal.kill",
  "terminal/release": "terminal.kill",
  "elicitation/create": "elicitation.form",
};

const wire = serviceSchemaMutants({
  role: "client",
  part: "result",
  collateral: (method) =>
    ({
      "fs/read_text_file": ["ACP-FS-001", "ACP-FS-002"],
      "terminal/create": ["ACP-TERM-001"],
      "terminal/output": ["ACP-TERM-002"],
      "terminal/wait_for_exit": ["ACP-TERM-003"],
      "elicitation/create": ["ACP-ELICIT-001"],
    })[method] ?? [],
  seenIn: (method) => `acp.client.${seenIn[method] ?? "terminal.run"}`,
  dialect: v1Client,
  broken: (method, change) => ({
    result: (served: string, result: unknown) => (served === method ? change(result) : result),
  }),
});

/** Clients that serve agents badly, and one that offers everything and is as right as the reference. */
export const servicesMutants: readonly Mutant[] = [
  ...files,
  ...terminals,
  ...questions,
  ...wire,
  ...offering({
    "logout-with-other-meta": [
      "SCHEMA-logout:params",
      { outgoing: (message) => [message["method"] === "logout" ? { ...message, params: { _meta: 7 } } : message] },
    ],
  }),
  ...benignOffering({ "v1-services": {} }),
];
