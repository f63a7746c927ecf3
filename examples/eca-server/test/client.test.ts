import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Script, startScriptedModel } from "@editwire/conformance/model";
import type { TurnEvent } from "@editwire/eca";
import { spawnEca } from "@editwire/eca/node";
import { ecaProfiles } from "@editwire/eca-schema";
import { expect, it, onTestFinished } from "vitest";
import { serverCommand } from "./support/server-process.js";
import { tempFolder } from "./support/temp-folder.js";

const writeTwice: Script = function* ({ prompt }) {
  yield {
    think: "Let me see.",
    say: "I write it.",
    calls: [{ name: "write_file", args: { path: "hello.txt", content: `${prompt.split("\n").at(-1)}\n` } }],
  };
  yield { say: "Done." };
};

it.each(Object.values(ecaProfiles))(
  "serves our own client, which forgives nothing, in the dialect $name",
  async (profile) => {
    const folder = await tempFolder({ "a.ts": "1\n" });
    const model = await startScriptedModel({ script: writeTwice });
    onTestFinished(() => model.close());
    const strange: string[] = [];
    const server = await spawnEca(
      [...serverCommand, "--base-url", model.urls.openai, "--model", "m", "--profile", profile.name],
      {
        profile,
        strict: true,
        workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "p" }],
        onDiagnostic: ({ id, message }) => strange.push(`${id}: ${message}`),
        onError: (error) => strange.push(String(error)),
        permission: "manual",
      },
    );
    onTestFinished(() => server.close());
    const chat = server.newSession();
    expect((await chat.queryContext("a.ts")).map(({ type }) => type)).toEqual(["file"]);
    expect((await chat.queryCommands("")).map(({ name }) => name)).toEqual(["costs", "doctor", "repo-map"]);

    const prompt = async (message: string, decide: (toolCallId: string) => unknown): Promise<TurnEvent[]> => {
      const events: TurnEvent[] = [];
      const decided = new Set<string>();
      for await (const event of chat.prompt(message)) {
        events.push(event);
        if (event.type !== "tool_call" || event.toolCall.status !== "waiting" || decided.has(event.toolCall.toolCallId))
          continue;
        decided.add(event.toolCall.toolCallId);
        decide(event.toolCall.toolCallId);
      }
      return events;
    };
    const approved = await prompt("one", (id) => chat.answerPermission(id, "allow_once"));
    expect(approved.at(-1)).toEqual({ type: "stop", stopReason: "end_turn" });
    expect(await readFile(join(folder, "hello.txt"), "utf8")).toBe("one\n");
    const stopped = await prompt("two", () => chat.cancel());
    expect(stopped.at(-1)).toEqual({ type: "stop", stopReason: "cancelled" });
    expect(await readFile(join(folder, "hello.txt"), "utf8")).toBe("one\n");
    await chat.delete();
    await server.close();
    // To serve both kinds of clients at once, it also says what those of 2025 do not know.
    expect(strange.filter((line) => !line.includes("a method that only v2026 has"))).toEqual([]);
    if (profile === ecaProfiles.v2026) expect(strange).toEqual([]);
  },
);
