import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { changedAlike } from "../src/core/verdict/changed-alike.js";
import { acp, eca, kaiak, runConformance, stdioTarget } from "../src/index.js";
import { referenceOf } from "../src/mutants/references.js";
import { rewriterOf } from "../src/mutants/rewriter.js";
import { conf } from "./conf.js";
import { bin } from "./programs.js";

const mutantOf = (id: string) => {
  const found = [...acp.mutants, ...eca.mutants, ...kaiak.mutants].find((one) => one.id === id);
  if (found === undefined) throw new TypeError(`there is no mutant ${id}`);
  return found;
};

describe("a mutant as a man in the middle", () => {
  test.each([
    ["acp.agent/other-version", "acp", "agent", "acp.agent.initialize.version"],
    ["acp.agent/silent-about-audio", "acp", "agent", "acp.agent.initialize.*"],
    ["acp.agent/thinks-aloud", "acp", "agent", "acp.agent.turn.text"],
  ] as const)(
    "%s breaks a program, and the same check notices it",
    async (id, name, role, filter) => {
      const mutant = mutantOf(id);
      const program = [...bin, "reference", name, "--role", role];
      const report = await runConformance({
        protocol: acp,
        role,
        target: stdioTarget({ argv: [...bin, "mutate", name, "--role", role, "--mutant", id, "--", ...program] }),
        behaviors: "commands",
        filter: [filter],
        seed: 1,
      });
      const found = report.cases
        .flatMap(({ checks }) => checks)
        .filter(({ verdict }) => /fail|warn|info/.test(verdict));
      expect(mutant.violates).toContain(found[0]?.req);
      const stderr = report.cases
        .flatMap(({ trace }) => trace)
        .flatMap((one) => (one.kind === "stderr" ? [one.text] : []));
      expect(stderr.join("")).toContain(`${id}: breaks ${String(mutant.violates[0])}: `);
    },
    60_000,
  );

  test("says what it breaks and which messages it changes, and ends as the program ends", () => {
    const answers = `process.stdin.once("data", (line) => {
      const { id } = JSON.parse(line);
      console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: 1 } }));
      process.exitCode = 7;
      process.stdin.destroy();
    })`;
    const request = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } };
    const flags = ["mutate", "acp", "--role", "agent", "--mutant", "other-version"];
    const { status, stdout, stderr } = spawnSync(bin[0], [bin[1], ...flags, "--", process.execPath, "-e", answers], {
      input: `${JSON.stringify(request)}\n`,
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 2 } });
    const was = JSON.stringify({ jsonrpc: "2.0", id: 1, result: { protocolVersion: 1 } });
    expect({ status, stderr: stderr.split("\n") }).toEqual({
      status: 7,
      stderr: [
        expect.stringMatching(/^acp\.agent\/other-version: breaks ACP-INIT-001: \w+/),
        "acp.agent/other-version: changed message 1",
        `  from ${was}`,
        `  to   ${was.replace('Version":1', 'Version":2')}`,
        "acp.agent/other-version: changed 1 of 1 messages",
        "",
      ],
    });
  });

  test("of a client changes what the client sends to its agent", () => {
    const echoes = `process.stdin.pipe(process.stdout)`;
    const request = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } };
    const flags = ["mutate", "acp", "--role", "client", "--mutant", "no-version-of-json-rpc"];
    const { stdout } = spawnSync(bin[0], [bin[1], ...flags, "--", process.execPath, "-e", echoes], {
      input: `${JSON.stringify(request)}\n`,
      encoding: "utf8",
    });
    const { jsonrpc: _, ...rest } = request;
    expect(JSON.parse(stdout)).toEqual(rest);
  });

  test("is found by the part of its name after the slash", async () => {
    const { status, stderr } = await conf("mutate", "acp", "--role", "agent", "--mutant", "no-such", "--", "true");
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('received "no-such"') });
  });

  test("that only a reference can be is refused, and not listed", async () => {
    expect(rewriterOf(mutantOf("acp.agent/two-turns-at-once"), referenceOf(acp, "agent"))).toBeUndefined();
    const refused = await conf("mutate", "acp", "--role", "agent", "--mutant", "two-turns-at-once", "--", "true");
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining("only the reference makes") });
    const { stdout } = await conf("mutate", "acp", "--role", "agent", "--list");
    expect(stdout).toContain("acp.agent/other-version  [ACP-INIT-001]");
    expect(stdout).not.toContain("two-turns-at-once");
  });

  test("changes the answers to the requests that its side received", () => {
    const rewriter = rewriterOf(mutantOf("acp.agent/other-version"), referenceOf(acp, "agent"));
    rewriter?.received({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } });
    const answer = { jsonrpc: "2.0", id: 1, result: { protocolVersion: 1, agentInfo: { name: "mine" } } };
    expect(rewriter?.rewrite(answer)).toEqual([
      { ...answer, result: { protocolVersion: 2, agentInfo: { name: "mine" } } },
    ]);
    expect(rewriter?.rewrite({ ...answer, id: 2 })).toEqual([{ ...answer, id: 2 }]);
  });

  test.each([
    [
      "acp.client/version-as-string",
      { method: "initialize", params: { protocolVersion: 1, own: true } },
      { method: "initialize", params: { protocolVersion: "1", own: true } },
    ],
    [
      "acp.client/prompt-as-text",
      { method: "session/prompt", params: { sessionId: "s", prompt: [{ type: "text", text: "Hello" }] } },
      { method: "session/prompt", params: { sessionId: "s", prompt: "Hello" } },
    ],
    [
      "acp.agent/wire-fs-read-text-file-path-missing",
      { method: "fs/read_text_file", params: { sessionId: "s", path: "/a" } },
      { method: "fs/read_text_file", params: { sessionId: "s" } },
    ],
    [
      "eca.client/no-folders",
      { method: "initialize", params: { processId: 1, workspaceFolders: [] } },
      { method: "initialize", params: { processId: 1 } },
    ],
    [
      "kaiak.client/delete_session-as-a-method",
      {
        method: "workspace/executeCommand",
        params: { command: "kaiak/delete_session", arguments: [{ session_id: "s" }] },
      },
      { method: "kaiak/delete_session", params: { session_id: "s" } },
    ],
  ])("%s changes the params that any program sends", (id, message, changed) => {
    const protocol = [acp, eca, kaiak].find(({ name }) => id.startsWith(`${name}.`)) ?? acp;
    const mutant = mutantOf(id);
    const rewriter = rewriterOf(mutant, referenceOf(protocol, mutant.role), protocol.envelope);
    expect(rewriter?.rewrite({ jsonrpc: "2.0", id: 1, ...message })).toEqual([{ jsonrpc: "2.0", id: 1, ...changed }]);
  });

  test("of the official dialect breaks programs that speak it", () => {
    const mutant = mutantOf("acp.agent/wire-session-resume-unanswered");
    const rewriter = rewriterOf(mutant, referenceOf(acp, "agent"));
    rewriter?.received({ jsonrpc: "2.0", id: 1, method: "session/resume", params: { sessionId: "s" } });
    expect(rewriter?.rewrite({ jsonrpc: "2.0", id: 1, result: {} })).toEqual([]);
    expect(rewriter?.rewrite({ jsonrpc: "2.0", id: 2, result: {} })).toHaveLength(1);
  });

  test("knows the requests that travel inside of another one", () => {
    const counts = rewriterOf(mutantOf("kaiak.server/counts-one"), referenceOf(kaiak, "server"), kaiak.envelope);
    counts?.received(kaiak.envelope.request(1, "kaiak/generate_fix", {}));
    const answer = { jsonrpc: "2.0", id: 1, result: { incident_count: 3 } };
    expect(counts?.rewrite(answer)).toEqual([{ ...answer, result: { incident_count: 1 } }]);
  });
});

test.each([
  [
    { a: 1, b: { c: 2, own: true } },
    { a: 1, b: { c: 0 } },
    { a: 1, b: { c: 9 } },
    { a: 1, b: { c: 9, own: true } },
  ],
  [{ a: 1, own: 2 }, { a: 1 }, {}, { own: 2 }],
  [[1], { a: 1 }, null, null],
  ["same", { a: 1 }, { a: 1 }, "same"],
])("%j changes as %j became %j", (value, right, broken, expected) => {
  expect(changedAlike(value, right, broken)).toEqual(expected);
});
