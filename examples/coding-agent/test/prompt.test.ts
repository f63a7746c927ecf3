import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock } from "@editwire/agent";
import { expect, it } from "vitest";
import { type ReadAttached, systemPrompt, userContent } from "../src/prompt.js";
import { openWorkspace } from "@editwire/ide-tools";
import { tempFolder } from "./support/temp-folder.js";

async function contentOf(block: ContentBlock) {
  const { read } = await openWorkspace(await tempFolder());
  return (await userContent([block], read))[0];
}

it("gives text, embedded text and pictures to the model", async () => {
  expect(await contentOf({ type: "text", text: "Hi" })).toEqual({ type: "text", text: "Hi" });
  expect(await contentOf({ type: "resource", resource: { uri: "mem:x", text: "inside" } })).toEqual({
    type: "text",
    text: "Attached: mem:x\n\ninside",
  });
  expect(await contentOf({ type: "image", data: "AAAA", mimeType: "image/webp" })).toEqual({
    type: "image_url",
    image_url: { url: "data:image/webp;base64,AAAA" },
  });
});

it("gives audio to the model in the formats that models take", async () => {
  expect(await contentOf({ type: "audio", data: "AAAA", mimeType: "audio/wav" })).toEqual({
    type: "input_audio",
    input_audio: { data: "AAAA", format: "wav" },
  });
  expect(await contentOf({ type: "audio", data: "AAAA", mimeType: "audio/ogg" })).toMatchObject({
    text: expect.stringContaining("audio/ogg"),
  });
});

it("names what it cannot give", async () => {
  expect(await contentOf({ type: "resource", resource: { uri: "mem:x", blob: "AAAA" } })).toMatchObject({
    text: "[mem:x: attached, but not as text]",
  });
  expect(await contentOf({ type: "audio", data: "AAAA" })).toMatchObject({ text: expect.stringContaining('"audio"') });
});

it("reads a linked file of the workspace, or lines of it, where the mode allows that, and no other", async () => {
  const cwd = await tempFolder({ "a b.js": "const a = 1;\n", "lines.txt": "one\ntwo\nthree\n" });
  const workspace = await openWorkspace(cwd);
  const link = async (uri: string, read: ReadAttached = workspace.read) =>
    (await userContent([{ type: "resource_link", uri, name: "x" }], read))[0];
  const uri = pathToFileURL(join(cwd, "a b.js")).href;
  expect(await link(uri)).toEqual({ type: "text", text: `Attached: ${uri}\n\nconst a = 1;\n` });
  expect((await userContent([{ type: "resource_link", uri, name: "x" }], undefined))[0]).toEqual({
    type: "text",
    text: `[link to ${uri}]`,
  });
  expect(await link("https://example.com/a")).toEqual({ type: "text", text: "[link to https://example.com/a]" });
  const lines = pathToFileURL(join(cwd, "lines.txt")).href;
  expect(await link(`${lines}#L2-L3`)).toMatchObject({ text: `Attached: ${lines}#L2-L3\n\ntwo\nthree` });
  expect(await link(`${lines}#L2`)).toMatchObject({ text: `Attached: ${lines}#L2\n\ntwo` });
  expect(await link("file:///etc/hostname")).toMatchObject({
    text: expect.stringMatching(/cannot be read: .*outside the workspace/),
  });
  expect(await link(pathToFileURL(join(cwd, "none.js")).href)).toMatchObject({
    text: expect.stringMatching(/cannot be read: The file .* does not exist/),
  });
});

it("tells the model what the mode does not allow", () => {
  expect(systemPrompt("/p", "full")).not.toMatch(/cannot|no access/);
  expect(systemPrompt("/p", "safe")).toMatch(/cannot run programs/);
  expect(systemPrompt("/p", "read-only")).toMatch(/cannot change files[^]*cannot run programs/);
  expect(systemPrompt("/p", "sandbox")).toMatch(/no access to the project's files/);
});
