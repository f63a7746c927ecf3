import type { Case } from "../../../../core/run/case.js";
import { matches } from "../../../../trace/pattern.js";
import { encodeFrame } from "../../../../wire/framing.js";
import { defineCases } from "../../client-role.js";

const header = { isolation: "connection" } as const;

const framed = (head: (size: number) => string) => (message: unknown) => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from(`${head(body.length)}\r\n\r\n`), body]);
};

/** Other forms of a message. */
const frames: Readonly<Record<string, readonly [req: string, encode: (message: unknown) => Uint8Array]>> = {
  "content-type": [
    "KAIAK-FRAME-020",
    framed((size) => `Content-Length: ${size}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8`),
  ],
  "lower-case": ["KAIAK-FRAME-020", framed((size) => `content-length: ${size}`)],
  "log-lines": [
    "KAIAK-FRAME-021",
    (message) => Buffer.concat([Buffer.from("\u001b[32m INFO\u001b[0m started\n"), encodeFrame(message, "header")]),
  ],
};

/** An id that is not this one, but that a careless reader takes for it. Clients may take "1" for 1. */
const alike = (id: unknown): unknown => (typeof id === "number" ? id + 0.25 : `${String(id)} `);

/** Bytes and messages, and the commands beside runs. */
export const wireCases: readonly Case[] = [
  ...Object.entries(frames).flatMap(([name, [req, encode]]) =>
    defineCases(
      {
        [`framing.${name}`]: {
          title: `messages are read: ${name}`,
          emits: [req],
          async run(t) {
            await t.handshake();
            t.encode(encode);
            await t.require(req, t.works());
          },
        },
      },
      header,
    ),
  ),
  ...["split:1", "coalesce"].flatMap((fault) =>
    defineCases(
      {
        [`framing.${fault.replace(/\W.*/, "")}`]: {
          title: `messages are read over a wire that does ${fault}`,
          emits: ["KAIAK-FRAME-020"],
          faults: [fault],
          run: async (t) => void (await t.require("KAIAK-FRAME-020", t.works())),
        },
      },
      header,
    ),
  ),
  ...defineCases({
    "rpc.stray": {
      title: "answers without a pending request do no harm",
      emits: ["KAIAK-RPC-020"],
      async run(t) {
        const run = await t.run(t.session());
        t.send.invalid({ jsonrpc: "2.0", id: 4_711_000, result: {} });
        t.send.invalid({ jsonrpc: "2.0", id: "no-such-id", error: { code: -32603, message: "x" } });
        t.send.invalid({ jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } });
        t.send.invalid({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } });
        run.end();
        await t.require("KAIAK-RPC-020", run.done);
        await t.require("KAIAK-RPC-020", t.works());
      },
    },
    "rpc.alike": {
      title: "an answer whose id is only like that of a request ends no call",
      emits: ["KAIAK-RPC-029"],
      async run(t) {
        const run = await t.run(t.session());
        let isOver = false;
        const over = (): void => void (isOver = true);
        run.done.then(over, over);
        const error = { code: -32603, message: "not the answer" };
        t.send.invalid({ jsonrpc: "2.0", id: alike(run.ask.id), error });
        await t.works(); // by then, the client has read it, and has reported an end
        t.check("KAIAK-RPC-029", !isOver, { expected: "the call continues", actual: "it is over" });
        if (isOver) return;
        run.end();
        await t.require("KAIAK-RPC-029", run.done);
      },
    },
    "rpc.order": {
      title: "answers may come in another order, and a question in one session holds no text of another one back",
      emits: ["KAIAK-RPC-020", "KAIAK-CALL-021"],
      async run(t) {
        const names = [t.session(), t.session()] as const;
        const runs = [await t.run(names[0]), await t.run(names[1])] as const;
        runs[0].question();
        for (const index of [1, 0] as const) {
          runs[index].note("ai_response", { text: `text ${index}`, partial: false });
          runs[index].end();
          await t.require("KAIAK-RPC-020", runs[index].done);
        }
        const { text } = await t.report(names[0]);
        t.check("KAIAK-RPC-020", text === undefined || text === "text 0", { expected: "text 0", actual: text });
        const { text: other } = await t.report(names[1]);
        t.check("KAIAK-CALL-021", other === undefined || other === "text 1", { expected: "text 1", actual: other });
      },
    },
    "rpc.request": {
      title: "a request of the server is answered",
      emits: ["KAIAK-RPC-021"],
      async run(t) {
        await t.handshake();
        await t.require("KAIAK-RPC-021", t.send.request("foo/bar", {}).response());
      },
    },
  }),
  ...defineCases(
    {
      "life.lost": {
        title: "a run fails when the connection is lost",
        emits: ["KAIAK-CALL-023"],
        async run(t) {
          const run = await t.run(t.session());
          t.halfClose();
          // That the wait for it was given up says nothing of the client: then the run did not end.
          const what = await run.done.then(
            () => "done",
            (error: unknown) =>
              error instanceof Error && "miss" in error && error.miss === "timeout" ? "nothing" : "failed",
          );
          t.check("KAIAK-CALL-023", what === "failed", { expected: "a run that fails", actual: what });
        },
      },
    },
    header,
  ),
  ...defineCases({
    configure: {
      title: "a configuration reaches the server",
      emits: ["KAIAK-CALL-029"],
      async run(t) {
        await t.handshake();
        const configuration = {
          workspace: { working_dir: "/project/Größe", include_patterns: ["**/*.java"], exclude_patterns: [] },
          model: { provider: "suite", model: "suite-one", temperature: 0.5, max_tokens: 512 },
          tools: { enabled_extensions: ["todo"], custom_tools: [], planning_mode: true, max_tool_calls: 7 },
          session: { max_turns: 12, retry_config: null },
          permissions: { tool_permissions: { read_file: "allow", shell_command: "deny" } },
        };
        const acted = t.act("configure", { configuration }, { optional: true });
        const asked = t.expect.request("kaiak/configure");
        const { params } = await t.require("KAIAK-CALL-029", Promise.race([asked, acted.then(() => asked)]));
        const same = matches(params["configuration"], configuration); // it may hold more
        t.check("KAIAK-CALL-029", same, { expected: configuration, actual: params["configuration"] });
        await t.require("KAIAK-CALL-029", acted);
      },
    },
    ...defineCases.each([false, true], (force) => ({
      [`delete.${force ? "forced" : "plain"}`]: {
        title: `a session is deleted${force ? " by force" : ""}`,
        emits: ["KAIAK-CALL-030"],
        async run(t) {
          const session = t.session();
          const run = await t.run(session);
          run.end();
          await run.done;
          const acted = t.act("delete", { session, force }, { optional: true });
          const asked = t.expect.request("kaiak/delete_session");
          const { params } = await t.require("KAIAK-CALL-030", Promise.race([asked, acted.then(() => asked)]));
          const right = params["session_id"] === run.id && (params["force"] ?? false) === force;
          t.check("KAIAK-CALL-030", right, { expected: `session ${run.id}, force ${force}`, actual: params });
          await t.require("KAIAK-CALL-030", acted);
        },
      },
    })),
  }),
];
