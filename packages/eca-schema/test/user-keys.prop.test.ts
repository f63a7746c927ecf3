import { ecaProfiles } from "@editwire/eca-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { frozen } from "./support/fixtures.js";
import { receive } from "./support/package.js";

const keys = fc.oneof(
  fc.constantFrom("request-id", "requestId", "behavior", "Agent", "content", "text", "kebab-key", "snake_key", "A"),
  fc.string({ maxLength: 6 }),
);
const map = fc.dictionary(keys, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 4, noNullPrototype: true });
const words = fc.dictionary(keys, fc.string({ maxLength: 6 }), { maxKeys: 4, noNullPrototype: true });
const tool = { origin: "mcp", id: "t", name: "n", server: "s" };

/** Writes a value in each dialect and reads it again. */
async function through(method: string, value: object): Promise<unknown> {
  let read: unknown = value;
  for (const profile of Object.values(ecaProfiles)) {
    const wire = profile.encode?.[method]?.params?.(frozen(read)) ?? read;
    read = (await receive(profile, method, "params", frozen(wire))).value;
  }
  return read;
}

test("arguments, schemas, options, environments and headers keep their keys (A16, A17)", async () => {
  await fc.assert(
    fc.asyncProperty(map, words, async (anything, env) => {
      for (const type of ["toolCallRun", "toolCallRunning"]) {
        const content = { type, ...tool, arguments: anything, manualApproval: true };
        expect(await through("chat/contentReceived", { chatId: "c", role: "assistant", content })).toMatchObject({
          content: { arguments: anything },
        });
      }
      const called = { type: "toolCalled", ...tool, arguments: anything, error: false, outputs: [] };
      expect(await through("chat/contentReceived", { chatId: "c", role: "assistant", content: called })).toMatchObject({
        content: { arguments: anything },
      });
      const tools = [{ name: "n", description: "", parameters: { type: "object", properties: anything } }];
      expect(
        await through("tool/serverUpdated", { type: "native", name: "ECA", status: "running", tools }),
      ).toMatchObject({ tools });
      expect(await through("mcp/addServer", { name: "x", env, headers: env })).toMatchObject({ env, headers: env });
      expect(await through("providers/loginInput", { provider: "p", data: env })).toMatchObject({ data: env });
      const initialize = { capabilities: {}, workspaceFolders: [], initializationOptions: { providers: anything } };
      expect(await through("initialize", initialize)).toMatchObject({ initializationOptions: { providers: anything } });
    }),
    { numRuns: 50 },
  );
});

test("no value of any shape makes a profile throw", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.values(ecaProfiles)), (value, profile) => {
      const shapes = [
        value,
        { content: value },
        { contexts: value },
        { commands: value },
        { initializationOptions: value },
        { chat: value },
        { content: { type: "toolCalled", outputs: value } },
      ];
      for (const rewrites of [profile.encode, profile.decode]) {
        for (const change of Object.values(rewrites ?? {})) {
          for (const shape of shapes) {
            change.params?.(shape);
            change.result?.(shape);
          }
        }
      }
    }),
    { numRuns: 50 },
  );
});
