import { mutant, type Mutant } from "../../../../core/mutant.js";
import type { Json } from "../../reference/agent-behavior.js";
import { type ClientBehavior, rightClient } from "../../reference/client-behavior.js";
import { v1Client } from "../../reference/client-services.js";
import { serviceSchemaMutants } from "../services-schema.js";

/** A mutant of the reference that offers everything that an agent can ask for. */
const offering = (
  id: string,
  violates: readonly string[],
  patch: Partial<ClientBehavior>,
  more: Partial<Mutant> = {},
) => mutant(`acp.client/${id}`, { violates, ...more, profile: "v1", patch: { ...v1Client, ...patch } });
/** One that serves what it does not offer. */
const unoffered = (id: string, violates: readonly string[], method: RegExp): Mutant =>
  mutant(`acp.client/${id}`, { violates, profile: "v1", patch: { serves: (name: string) => method.test(name) } });

const { launch, lines, writeFile, isInside, elicited } = rightClient;

const files: readonly Mutant[] = [
  offering("files-trimmed", ["ACP-FS-001", "ACP-FS-002"], {
    lines: (...all) =>
      lines(...all)
        .trimEnd()
        .replaceAll(" \n", "\n"),
  }),
  offering("files-in-ascii", ["ACP-FS-001", "ACP-FS-002"], {
    lines: (...all) => lines(...all).replace(/[^\n -~]/g, "?"),
  }),
  offering("lines-from-zero", ["ACP-FS-002"], {
    lines: (content, line, limit) => lines(content, typeof line === "number" ? line + 1 : line, limit),
  }),
  offering("line-is-ignored", ["ACP-FS-002"], { lines: (content, _line, limit) => lines(content, 1, limit) }),
  offering("limit-is-ignored", ["ACP-FS-002"], { lines: (content, line) => lines(content, line, undefined) }),
  offering("limit-is-a-line", ["ACP-FS-002"], {
    lines: (content, line, limit) =>
      lines(content, line, typeof limit === "number" ? Math.max(0, limit - Number(line ?? 1) + 1) : limit),
  }),
  offering("creates-no-file", ["ACP-FS-003"], {
    writeFile: (path, content) => (path.endsWith("new.txt") ? undefined : writeFile(path, content)),
  }),
  offering("writes-nothing", ["ACP-FS-003"], { writeFile: (path) => writeFile(path, "") }),
  offering("keeps-the-old-end", ["ACP-FS-003"], {
    writeFile: (path, content) => writeFile(path, path.endsWith("old.txt") ? `${content}and more` : content),
  }),
  offering("files-everywhere", ["ACP-FS-004"], { isInside: () => true }),
  offering("files-by-the-beginning-of-a-path", ["ACP-FS-004"], { isInside: (path, root) => path.startsWith(root) }),
  offering("files-behind-links", ["ACP-FS-004"], {
    isInside: (path, root) => path.startsWith(`${root}/`) && (path.includes("/link/") || isInside(path, root)),
  }),
  offering("missing-files-are-empty", ["ACP-FS-005"], { missing: () => ({ result: { content: "" } }) }),
  unoffered("reads-unasked", ["ACP-FS-006"], /^fs\/read/),
  unoffered("writes-unasked", ["ACP-FS-006"], /^fs\/write/),
];

const terminals: readonly Mutant[] = [
  offering(
    "terminals-wait",
    ["ACP-TERM-001"],
    { created: (exit) => exit },
    {
      cases: ["acp.client.terminal.run"],
    },
  ),
  offering("output-at-the-end", ["ACP-TERM-002"], {
    // Until then there is none.
    outputSoFar: (bytes, status) => (status === undefined ? Buffer.alloc(0) : bytes),
  }),
  offering("always-ended", ["ACP-TERM-002"], {
    exitStatus: (status) => ({ exitStatus: status ?? { exitCode: 0, signal: null } }),
  }),
  offering("never-ended", ["ACP-TERM-002"], { exitStatus: () => ({}) }),
  offering("always-truncated", ["ACP-TERM-002", "ACP-TERM-005"], { truncated: () => true }),
  offering("exit-at-once", ["ACP-TERM-003"], { waitForExit: () => Promise.resolve({ exitCode: 0, signal: null }) }),
  offering("exit-code-is-lost", ["ACP-TERM-003"], {
    waitForExit: async (exit) => ({ ...(await exit), exitCode: 0 }),
  }),
  offering("arguments-in-one", ["ACP-TERM-004"], {
    launch: (params, root) => {
      const { args, ...rest } = launch(params, root);
      return { ...rest, args: [...args.slice(0, 2), ...args.slice(2).flatMap((one) => one.split(" "))] };
    },
  }),
  offering("environment-is-lost", ["ACP-TERM-004"], {
    launch: (params, root) => ({ ...launch(params, root), env: {} }),
  }),
  offering("commands-in-another-folder", ["ACP-TERM-004"], {
    launch: (params, root) => ({ ...launch(params, root), cwd: process.cwd() }),
  }),
  offering("output-without-a-limit", ["ACP-TERM-005"], { kept: (output) => output }),
  offering("keeps-the-beginning", ["ACP-TERM-005"], {
    kept: (output, limit) => (typeof limit === "number" ? output.subarray(0, limit - (limit % 2)) : output),
  }),
  offering("silent-about-the-limit", ["ACP-TERM-005"], { truncated: () => false }),
  offering("cuts-characters", ["ACP-TERM-006", "ACP-TERM-005"], {
    kept: (output, limit) => (typeof limit === "number" ? output.subarray(-limit) : output),
  }),
  offering("kill-does-nothing", ["ACP-TERM-007"], { kill: () => {} }),
  offering("kill-releases", ["ACP-TERM-007"], { killReleases: true }),
  offering("release-leaves-the-command", ["ACP-TERM-008"], { release: () => {} }),
  offering("released-terminals-are-there", ["ACP-TERM-009"], { forgets: false }),
  unoffered("terminal-unasked", ["ACP-TERM-010"], /^terminal\//),
];

const questions: readonly Mutant[] = [
  offering(
    "form-without-content",
    ["ACP-ELICIT-001"],
    {
      elicited: (params, user) => (user["action"] === "accept" ? { action: "accept" } : elicited(params, user)),
    },
    { collateral: ["ACP-ELICIT-003"] },
  ),
  offering("form-never-accepted", ["ACP-ELICIT-001"], {
    elicited: (params, user) => (user["action"] === "accept" ? { action: "decline" } : elicited(params, user)),
  }),
  ...["decline", "cancel"].map((action) =>
    offering(`form-never-${action}`, ["ACP-ELICIT-002"], {
      elicited: (params, user) =>
        elicited(params, user["action"] === action ? { action: action === "cancel" ? "decline" : "cancel" } : user),
    }),
  ),
  offering(
    "form-with-anything",
    ["ACP-ELICIT-003"],
    {
      elicited: (_params, { action, content }) => ({ action, content }) satisfies Json,
    },
    { collateral: ["ACP-SCHEMA-elicitation/create:result"] },
  ),
  unoffered("form-unasked", ["ACP-ELICIT-004"], /^elicitation\//),
  offering("signs-in-with-anything", ["ACP-AUTH-003"], {
    signInProblem: (id, all) => (all.some((one) => one["id"] === id) ? rightClient.signInProblem(id, all) : undefined),
  }),
  offering("passes-programs-to-authenticate", ["ACP-AUTH-004"], {
    signInProblem: (id, all) =>
      rightClient.signInProblem(
        id,
        all.map(({ type: _type, ...rest }) => rest),
      ),
  }),
  offering("logs-out-unasked", ["ACP-AUTH-005"], { mayCall: () => true }),
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
  broken: (method, change) => ({
    ...v1Client,
    serviceResult: (served: string, result: unknown) => (served === method ? change(result) : result),
  }),
});

/** Clients that serve agents badly, and one that offers everything and is as right as the reference. */
export const servicesMutants: readonly Mutant[] = [
  ...files,
  ...terminals,
  ...questions,
  ...wire,
  offering("logout-with-other-meta", ["ACP-SCHEMA-logout:params"], {
    outgoing: (message) => [message["method"] === "logout" ? { ...message, params: { _meta: 7 } } : message],
  }),
  offering("benign-v1-services", [], {}, { cases: ["*"] }),
];
