import { agent, client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { isWireError } from "@editwire/core";
import { describe, expect, it } from "vitest";
import { type AcpAgent, type AcpClientOptions, connectAcp, serveAcp, type SessionConfigOption } from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { officialPair } from "./official-pair.js";
import { soon } from "../../../scripts/testing/soon.js";

const cwd = "/project";
const prompt = [{ type: "text" as const, text: "go" }];
const configOptions: SessionConfigOption[] = [
  {
    id: "model",
    name: "Model",
    type: "select",
    currentValue: "a",
    options: [
      { value: "a", name: "A" },
      { value: "b", name: "B" },
    ],
  },
  { id: "search", name: "Search", type: "boolean", currentValue: false },
];

/** Our agent, with the official client at the other end. */
async function serveOfficial(served: AcpAgent, clientCapabilities: object = {}, app = client({ name: "official" })) {
  const { official, ours } = officialPair();
  serveAcp(ours, served);
  const connection = app.connect(official);
  const info = await connection.agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities,
  });
  return { agent: connection.agent, capabilities: (info as { agentCapabilities: unknown }).agentCapabilities };
}

/** Our client, with an official agent whose turn is `turn`. */
async function connectOfficial(
  turn: (peer: { request(method: string, params: unknown): Promise<unknown> }) => Promise<void>,
  options: AcpClientOptions = {},
) {
  const { official, ours } = officialPair();
  agent({ name: "official" })
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: PROTOCOL_VERSION }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: "s1" }))
    .onRequest(methods.agent.session.prompt, async (context) => {
      await turn(context.client as never);
      return { stopReason: "end_turn" };
    })
    .connect(official);
  const connected = await connectAcp(ours, options);
  return connected.newSession({ cwd });
}

describe("V14: what a client did not declare", () => {
  it("is refused to an agent with -32601, and to our own agent before it is sent", async () => {
    const codes: unknown[] = [];
    const session = await connectOfficial(async (peer) => {
      for (const [method, params] of [
        ["fs/read_text_file", { sessionId: "s1", path: "/a" }],
        ["fs/write_text_file", { sessionId: "s1", path: "/a", content: "" }],
        ["terminal/create", { sessionId: "s1", command: "ls" }],
        ["elicitation/create", { sessionId: "s1", mode: "url", message: "m", url: "https://a.b", elicitationId: "e" }],
      ] as const)
        codes.push(await peer.request(method, params).catch((error: { code?: number }) => error.code));
    });
    expect(await session.prompt("go").stopReason).toBe("end_turn");
    expect(codes).toEqual([-32601, -32601, -32601, -32601]);

    const errors: unknown[] = [];
    const { client: ours } = await acpPair({
      async prompt(turn) {
        const { client: services } = turn;
        for (const call of [
          () => services.readTextFile("/a"),
          () => services.writeTextFile("/a", ""),
          () => services.createTerminal({ command: "ls" }),
          () => services.elicit({ mode: "form", message: "m", requestedSchema: {} }),
          async () => turn.update({ sessionUpdate: "notice", severity: "info", title: "t" }),
        ])
          errors.push(await call().catch((error: unknown) => error));
      },
    });
    await (await ours.newSession({ cwd })).prompt("go").stopReason;
    expect(errors.every((error) => isWireError(error, "invalid_params"))).toBe(true);
    expect(errors.map(String)).toEqual([
      "WireError: fs/read_text_file: the client does not declare the capability fs.readTextFile",
      "WireError: fs/write_text_file: the client does not declare the capability fs.writeTextFile",
      "WireError: terminal/create: the client does not declare the capability terminal",
      "WireError: elicitation/create: the client does not declare the capability elicitation.form",
      "WireError: session/update: the client does not declare the capability session.notices",
    ]);
  });

  it("is refused with -32601 also when there is a service that is not declared", async () => {
    const codes: unknown[] = [];
    const content = { content: "secret" };
    const session = await connectOfficial(
      async (peer) => {
        for (const params of [{ path: "/a" }, { path: "/a", content: "" }]) {
          const method = "content" in params ? "fs/write_text_file" : "fs/read_text_file";
          const asked = peer.request(method, { sessionId: "s1", ...params });
          codes.push(await asked.catch((error: { code?: number }) => error.code));
        }
      },
      {
        fs: { readTextFile: async () => content, writeTextFile: async () => {} },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: true } },
      },
    );
    expect(await session.prompt("go").stopReason).toBe("end_turn");
    expect(codes).toEqual([-32601, {}]);
  });

  it("is refused to the options that declare it without a service", async () => {
    const options = { clientCapabilities: { fs: { readTextFile: true } } };
    await expect(connectAcp(officialPair().ours, options)).rejects.toThrow(
      "connectAcp: clientCapabilities declare fs.readTextFile, but the options do not provide it",
    );
  });
});

describe("V36, V37: what an agent did not declare", () => {
  it("is refused before it is sent, with the capability", async () => {
    const { client: ours } = await acpPair({ prompt: async () => "end_turn" });
    const session = await ours.newSession({ cwd });
    const image = { type: "image" as const, data: "", mimeType: "image/png" };
    const refused = await Promise.all(
      [
        ours.loadSession({ sessionId: "x", cwd }),
        ours.resumeSession({ sessionId: "y", cwd }),
        ours.deleteSession("x"),
        ours.listSessions(),
        ours.logout(),
        ours.newSession({ cwd, additionalDirectories: ["/b"] }),
        ours.newSession({ cwd, mcpServers: [{ type: "http", name: "h", url: "http://a", headers: [] }] }),
        ours.connection.request("session/close", { sessionId: session.id }),
        (async () => session.prompt([image]))(),
      ].map((call) => call.then(String, (error: unknown) => String(error).replace(/.* the capability /, ""))),
    );
    expect(refused).toEqual([
      "loadSession",
      "sessionCapabilities.resume",
      "sessionCapabilities.delete",
      "sessionCapabilities.list",
      "auth.logout",
      "sessionCapabilities.additionalDirectories",
      "mcpCapabilities.http",
      "sessionCapabilities.close",
      "promptCapabilities.image",
    ]);
    expect(await session.prompt("go").stopReason).toBe("end_turn");
  });

  it("is sent to an agent that can do more than it declares", async () => {
    const seen: unknown[] = [];
    const session = await connectOfficial(async () => {}, {
      ignoreCapabilities: true,
      onWire: (direction, message) => void (direction === "out" && seen.push(message)),
    });
    const image = { type: "image" as const, data: "", mimeType: "image/png" };
    expect(await session.prompt([image]).stopReason).toBe("end_turn");
    expect(seen.at(-1)).toMatchObject({ method: "session/prompt", params: { prompt: [image] } });
  });
});

describe("the services of our client, for the official agent", () => {
  it("answer files and terminals, and know the session's folders", async () => {
    const seen: unknown[] = [];
    const answers: unknown[] = [];
    const session = await connectOfficial(
      async (peer) => {
        const target = { sessionId: "s1", terminalId: "t1" };
        answers.push(
          await peer.request("fs/read_text_file", { sessionId: "s1", path: "/project/a", line: 2 }),
          await peer.request("fs/write_text_file", { sessionId: "s1", path: "/project/a", content: "b" }),
          await peer.request("terminal/create", { sessionId: "s1", command: "ls" }),
          await peer.request("terminal/output", target),
          await peer.request("terminal/wait_for_exit", target),
          await peer.request("terminal/kill", target),
          await peer.request("terminal/release", target),
        );
      },
      {
        fs: {
          readTextFile: async ({ line }, { roots }) => ({ content: `${line} of ${roots.join()}` }),
          writeTextFile: async ({ content }) => void seen.push(content),
        },
        terminals: {
          create: async ({ command }) => (seen.push(command), { terminalId: "t1" }),
          output: async () => ({ output: "x", truncated: false }),
          waitForExit: async () => ({ exitCode: 0 }),
          kill: async () => void seen.push("kill"),
          release: async () => void seen.push("release"),
          end: (sessionId) => void seen.push(`end ${sessionId}`),
        },
      },
    );
    expect(await session.prompt("go").stopReason).toBe("end_turn");
    await session.close();
    expect(answers).toMatchObject([
      { content: "2 of /project" },
      {},
      { terminalId: "t1" },
      { output: "x", truncated: false },
      { exitCode: 0 },
      {},
      {},
    ]);
    expect(seen).toEqual(["b", "ls", "kill", "release", "end s1"]);
  });

  it("ask the user, and cancel the question with its turn", async () => {
    const answers: unknown[] = [];
    let asked = (): void => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const form = {
      sessionId: "s1",
      mode: "form",
      message: "Who?",
      requestedSchema: { type: "object", properties: {} },
    };
    const session = await connectOfficial(
      async (peer) => {
        answers.push(await peer.request("elicitation/create", form));
        answers.push(await peer.request("elicitation/create", { ...form, message: "wait" }));
      },
      {
        elicitation: {
          form: async ({ message }) => {
            if (message === "Who?") return { action: "accept", content: { name: "Ada" } };
            asked();
            return new Promise(() => {});
          },
        },
      },
    );
    const turn = session.prompt("go");
    await isAsked;
    await turn.cancel();
    expect(await turn.stopReason).toBe("cancelled");
    await expect.poll(() => answers).toEqual([{ action: "accept", content: { name: "Ada" } }, { action: "cancel" }]);
  });
});

describe("our agent, for the official client", () => {
  it("V15: uses the client's services, and releases a terminal with its turn", async () => {
    const calls: string[] = [];
    const app = client({ name: "official" })
      .onRequest("fs/read_text_file", ({ params }) => ({ content: `${params.path}:${params.limit}` }))
      .onRequest("terminal/create", ({ params }) => (calls.push(`create ${params.command}`), { terminalId: "t1" }))
      .onRequest("terminal/output", () => ({ output: "ok", truncated: false, exitStatus: { exitCode: 0 } }))
      .onRequest("terminal/release", () => (calls.push("release"), {}))
      .onRequest("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
    const said: unknown[] = [];
    const served: AcpAgent = {
      async prompt({ client: services }) {
        said.push(await services.readTextFile("/project/a", { limit: 3 }));
        const terminal = await services.createTerminal({ command: "ls", env: { A: "1" } });
        said.push((await terminal.output()).exitStatus);
        said.push(await services.elicit({ mode: "form", message: "Who?", requestedSchema: { type: "object" } }));
      },
    };
    const can = { fs: { readTextFile: true }, terminal: true, elicitation: { form: {} } };
    const { agent: ours } = await serveOfficial(served, can, app);
    const { sessionId } = await ours.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await ours.request(methods.agent.session.prompt, { sessionId, prompt });
    expect(said).toEqual(["/project/a:3", { exitCode: 0 }, { action: "accept", content: { name: "Ada" } }]);
    expect(calls).toEqual(["create ls", "release"]);
  });

  it("gives up asking the client after timeoutMs and by signal, and the turn goes on", async () => {
    const never = (): Promise<never> => new Promise(() => {});
    const app = client({ name: "official" })
      .onRequest("fs/read_text_file", never)
      .onRequest("fs/write_text_file", never)
      .onRequest("terminal/create", ({ params }) => (params.command === "ls" ? { terminalId: "t1" } : never()))
      .onRequest("terminal/output", never)
      .onRequest("terminal/kill", never)
      .onRequest("terminal/wait_for_exit", never)
      .onRequest("terminal/release", () => ({}))
      .onRequest("elicitation/create", never);
    const codes: unknown[] = [];
    const served: AcpAgent = {
      async prompt({ client: services }) {
        const terminal = await services.createTerminal({ command: "ls" });
        const form = { mode: "form", message: "Who?", requestedSchema: { type: "object" } } as const;
        for (const ask of [{ timeoutMs: 1 }, { signal: AbortSignal.abort() }]) {
          const asked = await Promise.allSettled([
            services.readTextFile("/a", ask),
            services.writeTextFile("/a", "", ask),
            services.createTerminal({ command: "sleep", ...ask }),
            services.elicit(form, ask),
            terminal.output(ask),
            terminal.kill(ask),
            terminal.waitForExit(ask),
          ]);
          codes.push(asked.map((end) => end.status === "rejected" && (end.reason as { code: string }).code));
        }
      },
    };
    const can = { fs: { readTextFile: true, writeTextFile: true }, terminal: true, elicitation: { form: {} } };
    const { agent: ours } = await serveOfficial(served, can, app);
    const { sessionId } = await ours.request(methods.agent.session.new, { cwd, mcpServers: [] });
    expect(await ours.request(methods.agent.session.prompt, { sessionId, prompt })).toEqual({ stopReason: "end_turn" });
    expect(codes).toEqual([Array(7).fill("timeout"), Array(7).fill("aborted")]);
  });

  it("V17, V18, V20: resumes without a replay, closes after the turn has ended, deletes what is unknown", async () => {
    const ends: string[] = [];
    const updates: string[] = [];
    const app = client({ name: "official" }).onNotification(
      "session/update",
      ({ params }) => void updates.push(params.update.sessionUpdate),
    );
    const served: AcpAgent = {
      capabilities: { sessionCapabilities: { resume: {} } },
      closeSession: () => void ends.push("closed"),
      deleteSession: (sessionId) => void ends.push(`deleted ${sessionId}`),
      logout: () => void ends.push("logout"),
      async prompt(turn) {
        await turn.text("working");
        if (turn.promptText === "wait")
          await new Promise((_resolve, reject) => turn.signal.addEventListener("abort", reject));
      },
    };
    const { agent: ours, capabilities } = await serveOfficial(served, {}, app);
    expect(capabilities).toMatchObject({
      sessionCapabilities: { resume: {}, close: {}, delete: {} },
      auth: { logout: {} },
    });
    const { sessionId } = await ours.request(methods.agent.session.new, { cwd, mcpServers: [] });
    await ours.request(methods.agent.session.prompt, { sessionId, prompt });
    expect(await ours.request(methods.agent.session.resume, { sessionId, cwd })).toEqual({});
    expect(updates).toEqual(["agent_message_chunk"]);
    const order: string[] = [];
    const turn = ours
      .request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text: "wait" }] })
      .then(({ stopReason }) => order.push(stopReason));
    const closing = ours.request(methods.agent.session.close, { sessionId }).then(() => order.push("closed"));
    await Promise.all([turn, closing]);
    expect(order).toEqual(["cancelled", "closed"]);
    await ours.request(methods.agent.session.delete, { sessionId: "nobody" });
    await ours.request("logout", {});
    expect(ends).toEqual(["closed", "deleted nobody", "logout"]);
    const gone = await ours
      .request(methods.agent.session.prompt, { sessionId, prompt })
      .catch((error: { code: number }) => error.code);
    expect(gone).toBe(-32002);
  });

  it("V21: answers the complete list of settings, without those that the client does not show", async () => {
    const effort: SessionConfigOption = { ...(configOptions[0] as SessionConfigOption), id: "effort" };
    const offered = [...configOptions, effort];
    const { agent: ours } = await serveOfficial({ configOptions: offered, prompt: async () => "end_turn" });
    const opened = await ours.request(methods.agent.session.new, { cwd, mcpServers: [] });
    expect(opened.configOptions?.map(({ id }) => id)).toEqual(["model", "effort"]);
    const set = (configId: string, value: string): Promise<unknown> =>
      ours
        .request(methods.agent.session.setConfigOption, { sessionId: opened.sessionId, configId, value })
        .catch((error: { code: number }) => error.code);
    const changed = [
      { id: "model", currentValue: "b" },
      { id: "effort", currentValue: "a" },
    ];
    expect(await set("model", "b")).toMatchObject({ configOptions: changed });
    expect([await set("model", "c"), await set("none", "a")]).toEqual([-32602, -32602]);
  });

  it("V26: answers a request that $/cancel_request cancels", async () => {
    const { agent: ours } = await serveOfficial({
      prompt: (turn) => new Promise((_resolve, reject) => turn.signal.addEventListener("abort", reject)),
    });
    const { sessionId } = await ours.request(methods.agent.session.new, { cwd, mcpServers: [] });
    const cancelling = new AbortController();
    const turn = ours.request(
      methods.agent.session.prompt,
      { sessionId, prompt },
      { cancellationSignal: cancelling.signal },
    );
    cancelling.abort();
    expect(await soon("the answer", turn)).toEqual({ stopReason: "cancelled" });
  });
});

describe("settings of a session", () => {
  it("are typed state, which either side changes", async () => {
    const { client: ours } = await acpPair(
      {
        configOptions,
        prompt: async ({ session }) =>
          void session.update({
            sessionUpdate: "config_option_update",
            configOptions: session.configOptions.map((one) =>
              one.type === "boolean" ? { ...one, currentValue: true } : one,
            ),
          }),
      },
      { client: { clientCapabilities: { session: { configOptions: { boolean: {} } } } } },
    );
    const session = await ours.newSession({ cwd });
    await session.setConfigOption("model", "b");
    await session.prompt("go").stopReason;
    expect(session.configOptions.map(({ currentValue }) => currentValue)).toEqual(["b", true]);
    await session.setConfigOption("search", false);
    expect(session.state.configOptions.map(({ currentValue }) => currentValue)).toEqual(["b", false]);
    await expect(session.setConfigOption("none", "a")).rejects.toThrow("does not offer");
  });
});
