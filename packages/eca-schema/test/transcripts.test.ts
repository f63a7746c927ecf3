import { eca, ecaProfiles } from "@editwire/eca-schema";
import { methodOf, type Part, type Profile } from "@editwire/core";
import { expect, test } from "vitest";
import { receive } from "./support/package.js";
import { methodsById, type Recorded, transcript } from "./support/transcripts.js";

const files = [
  "emacs-2025-08-13-against-seed-server",
  "emacs-2026-08-against-seed-server",
  "emacs-2026-08-against-current-server",
  "desktop-0.9.12-against-seed-server",
  "desktop-0.9.12-against-current-server",
];

/** The method, part and value of what one message says, where the protocol has it. */
function said(
  { from, message }: Recorded,
  asked: ReadonlyMap<string, string>,
): { method: string; part: Part; value: unknown } | undefined {
  const method = message["method"] ?? asked.get(`${from === "client" ? "server" : "client"} ${String(message["id"])}`);
  if (typeof method !== "string" || methodOf(eca, method) === undefined || message["error"] !== undefined)
    return undefined;
  return message["method"] === undefined
    ? { method, part: "result", value: message["result"] }
    : { method, part: "params", value: message["params"] };
}

/** Which rows a whole recording needed, by who sent it. */
async function repairs(file: string, profile: Profile): Promise<string[]> {
  const messages = transcript(file);
  const asked = methodsById(messages);
  const ids = new Set<string>();
  for (const message of messages) {
    const content = said(message, asked);
    if (content === undefined) continue;
    const { diagnostics } = await receive(profile, content.method, content.part, content.value).catch(
      (error: Error) => {
        throw new Error(`${content.method} ${content.part}`, { cause: error });
      },
    );
    for (const { id } of diagnostics) ids.add(`${message.from} ${id}`);
  }
  return [...ids].sort();
}

test.each(files)("%s: every message is read, in both dialects", async (file) => {
  const messages = transcript(file);
  const asked = methodsById(messages);
  const unread = messages
    .filter((message) => said(message, asked) === undefined)
    .map(({ message }) => message["method"] ?? "an error");
  expect(messages.length).toBeGreaterThan(30);
  expect(unread.filter((name) => !/^foo\/|^an error$/.test(String(name)))).toEqual([]);
  expect(await repairs(file, ecaProfiles.spec)).toEqual(await repairs(file, ecaProfiles.v2026));
});

test("the desktop needs no repair, Emacs those of its nulls", async () => {
  expect(await repairs("desktop-0.9.12-against-seed-server", ecaProfiles.spec)).toEqual([]);
  expect(await repairs("desktop-0.9.12-against-current-server", ecaProfiles.v2026)).toEqual([]);
  expect(await repairs("emacs-2025-08-13-against-seed-server", ecaProfiles.spec)).toEqual([
    "client A10",
    "client A11",
    "client A19",
    "server A28",
  ]);
  expect(await repairs("emacs-2026-08-against-seed-server", ecaProfiles.spec)).toEqual([
    "client A10",
    "client A19",
    "server A28",
  ]);
  expect(await repairs("emacs-2026-08-against-current-server", ecaProfiles.v2026)).toEqual([
    "client A19",
    "client diagnostics-status",
  ]);
});

test("Emacs' request-id, its null chatId and its approval without one are read (A9, A10, A11)", async () => {
  const messages = transcript("emacs-2025-08-13-against-seed-server");
  const paramsOf = (method: string) => messages.find(({ message }) => message["method"] === method)?.message["params"];
  expect((await receive(ecaProfiles.spec, "chat/prompt", "params", paramsOf("chat/prompt"))).value).toMatchObject({
    requestId: 1,
    behavior: "agent",
  });
  expect(
    (await receive(ecaProfiles.spec, "chat/toolCallApprove", "params", paramsOf("chat/toolCallApprove"))).value,
  ).toEqual({ chatId: "", toolCallId: "t1" });
});
