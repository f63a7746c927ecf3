// Operations of an agent's handlers besides answering, against the official SDK's client.
import { client, methods, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AcpAgent,
  type AcpAgentSession,
  type AcpTerminal,
  type ElicitationSchema,
  isWireError,
  serveAcp,
} from "../src/index.js";
import { acpPair } from "../src/testing.js";
import { officialPair } from "./official-pair.js";

const prompt = async (): Promise<void> => {};
const authMethods = [{ id: "key", name: "API key" }];
const page = { mode: "url", message: "Sign in", url: "https://example.com", elicitationId: "e1" } as const;
const formOf = (requestedSchema: ElicitationSchema) => ({ mode: "form", message: "Key?", requestedSchema }) as const;
const form = formOf({ type: "object", properties: {} });
const required = formOf({ type: "object", properties: { name: { type: "string" } }, required: ["name"] });

describe("a question that belongs to a request", () => {
  it("reaches a client on the official SDK with the id of its request", async () => {
    const { official, ours } = officialPair();
    const asked: unknown[] = [];
    const connection = client({ name: "official" })
      .onRequest(methods.client.elicitation.create, ({ params }) => {
        asked.push(params);
        return { action: "accept" };
      })
      .onNotification(methods.client.elicitation.complete, ({ params }) => void asked.push(params.elicitationId))
      .connect(official);
    onTestFinished(() => connection.close());
    const { agent } = connection;
    const answers: unknown[] = [];
    serveAcp(ours, {
      authMethods,
      async authenticate(_methodId, { elicit, completeElicitation }) {
        answers.push(await elicit(page));
        await completeElicitation(page.elicitationId);
      },
      prompt,
    });
    const clientCapabilities = { elicitation: { form: {}, url: {} } };
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities });
    await agent.request(methods.agent.authenticate, { methodId: "key" });
    expect(asked).toEqual([{ ...page, requestId: 1 }, "e1"]);
    expect(answers).toEqual([{ action: "accept" }]);
  });

  it("reaches our client from every handler of a request", async () => {
    const asked: unknown[] = [];
    const session = { sessionId: "s", cwd: "/" };
    const ask: NonNullable<AcpAgent["logout"]> = async ({ elicit }) => void (await elicit(form));
    const options = [{ value: "a", name: "A" }];
    const configOptions = [{ type: "select", id: "m", name: "Model", currentValue: "a", options } as const];
    const modes = { currentModeId: "ask", availableModes: [{ id: "ask", name: "Ask" }] };
    const { client: editor } = await acpPair(
      {
        authMethods,
        modes,
        configOptions,
        authenticate: (_methodId, context) => ask(context),
        logout: ask,
        openSession: async (_params, context) => void (await ask(context)),
        loadSession: async ({ sessionId }, context) => {
          await ask(context);
          return sessionId === "s" ? { history: [] } : undefined;
        },
        listSessions: async (_params, context) => {
          await ask(context);
          return { sessions: [session] };
        },
        closeSession: (_session, context) => ask(context),
        deleteSession: (_sessionId, context) => ask(context),
        setMode: (_session, _modeId, context) => ask(context),
        setConfigOption: async (_session, _configId, _value, context) => void (await ask(context)),
        prompt,
      },
      {
        client: {
          elicitation: {
            form: async ({ requestId }) => {
              asked.push(requestId);
              return { action: "accept", content: {} };
            },
          },
        },
      },
    );
    await editor.authenticate("key");
    const opened = await editor.newSession({ cwd: "/" });
    await opened.setMode("ask");
    await opened.setConfigOption("m", "a");
    await editor.loadSession(session);
    await editor.listSessions();
    await opened.close();
    await editor.deleteSession("s");
    await editor.logout();
    expect(asked).toHaveLength(9);
    expect(new Set(asked).size).toBe(9);
    await editor.close();
  });

  it("is refused here when the client does not declare it, and when its answer does not fit the form", async () => {
    const errors: unknown[] = [];
    const { client: editor } = await acpPair(
      {
        authMethods,
        async authenticate(_methodId, { elicit }) {
          await elicit(page).catch((error: unknown) => errors.push(error));
          await elicit(required).catch((error: unknown) => errors.push(error));
        },
        prompt,
      },
      { client: { elicitation: { form: async () => ({ action: "accept", content: {} }) } } },
    );
    await editor.authenticate("key");
    expect(errors.map(String)).toEqual([
      "WireError: elicitation/create: the client does not declare the capability elicitation.url",
      "WireError: elicitation/create: result.content.name: a value is required",
    ]);
    await editor.close();
  });

  it("ends with its request: the signal of the handler aborts, and the user is not asked any longer", async () => {
    let whenAsked = (): void => {};
    const asked = new Promise<void>((resolve) => (whenAsked = resolve));
    let ended: Promise<unknown> | undefined;
    const questions: AbortSignal[] = [];
    const signals: AbortSignal[] = [];
    const { client: editor } = await acpPair(
      {
        authMethods,
        async authenticate(_methodId, { elicit, signal }) {
          signals.push(signal);
          ended = elicit(form).catch((error: unknown) => error);
          await ended;
        },
        prompt,
      },
      {
        client: {
          elicitation: {
            form: (_question, { signal }) => {
              questions.push(signal);
              whenAsked();
              return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ action: "cancel" })));
            },
          },
        },
      },
    );
    const abort = new AbortController();
    const signedIn = editor.authenticate("key", { signal: abort.signal });
    await asked;
    abort.abort();
    await expect(signedIn).rejects.toMatchObject({ code: "aborted" });
    expect(isWireError(await ended, "aborted")).toBe(true);
    await editor.listSessions().catch(() => {}); // what was sent before has arrived
    expect([...signals, ...questions].map(({ aborted }) => aborted)).toEqual([true, true]);
    await editor.close();
  });
});

describe("a terminal", () => {
  it("is released at the end of the block that declares it with `await using`", async () => {
    const calls: string[] = [];
    const { client: editor } = await acpPair(
      {
        async prompt(turn) {
          {
            await using terminal = await turn.client.createTerminal({ command: "true" });
            await terminal.waitForExit();
          }
          await turn.text("after");
        },
      },
      {
        client: {
          terminals: {
            create: async () => ({ terminalId: "t1" }),
            output: async () => ({ output: "", truncated: false }),
            waitForExit: async () => ({ exitCode: 0 }),
            kill: async () => {},
            release: async ({ terminalId }) => void calls.push(`release ${terminalId}`),
          },
        },
      },
    );
    const session = await editor.newSession({ cwd: "/" });
    for await (const event of session.prompt("go")) if (event.type === "text") calls.push(event.text);
    expect(calls).toEqual(["release t1", "after"]);
    await editor.close();
  });
});

describe("the client of a session", () => {
  it("serves files, questions and terminals outside of turns, until the session is closed", async () => {
    const calls: string[] = [];
    const sessions: AcpAgentSession[] = [];
    const { client: editor } = await acpPair(
      {
        closeSession: async () => {},
        async newSession(session) {
          sessions.push(session);
          void session.client.readTextFile("/AGENTS.md").then((text) => calls.push(text));
        },
        prompt,
      },
      {
        client: {
          fs: { readTextFile: async ({ sessionId }) => ({ content: `rules of ${sessionId}` }) },
          elicitation: { form: async () => ({ action: "accept", content: {} }) },
          terminals: {
            create: async () => ({ terminalId: "t1" }),
            output: async () => ({ output: "", truncated: false }),
            waitForExit: () => new Promise(() => {}),
            kill: async () => {},
            release: async ({ terminalId }) => void calls.push(`release ${terminalId}`),
          },
        },
      },
    );
    const opened = await editor.newSession({ cwd: "/" });
    const [session] = sessions;
    const terminal: AcpTerminal | undefined = await session?.client.createTerminal({ command: "serve" });
    expect(calls).toEqual([`rules of ${opened.id}`]);
    await expect(session?.elicit(required, new AbortController().signal)).rejects.toMatchObject({
      code: "invalid_result",
    });
    const exited = terminal?.waitForExit();
    await opened.close();
    await expect(exited).rejects.toMatchObject({ code: "aborted" });
    await expect(session?.client.readTextFile("/AGENTS.md")).rejects.toThrow("has ended");
    await editor.listSessions().catch(() => {}); // what was sent before has arrived
    expect(calls.slice(1)).toEqual(["release t1"]);
    await editor.close();
  });
});
