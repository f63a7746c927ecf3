import { acpProfiles, isPromptInProgress, isSessionNotFound } from "@editwire/acp-schema";
import { type Part, RemoteError } from "@editwire/core";
import { describe, expect, test } from "vitest";
import { lines } from "./support/fixtures.js";
import { receive } from "./support/package.js";

/** One distinct message that a real program sent, with what the elephant dialect makes of it. */
interface Recorded {
  case: string;
  from: "client" | "agent";
  method: string;
  part: Part;
  value: unknown;
  error?: { code: number; message: string; data?: unknown };
  /** The rows that repair it. Absent: it fits. */
  deviations?: string[];
  /** The row that strict mode refuses it by, though it fits. */
  strict?: string;
  /** Where it is wrong: it was sent to see what a wrong message does. */
  refused?: string;
}

const files = ["elephant-stdio", "elephant-http", "acpx-against-elephant", "acpx-session"];
const recorded = files.flatMap((file) =>
  lines<Recorded>(`transcripts/${file}.jsonl`).map((line, index) => ({
    name: `${file}:${index + 1} ${line.method}`,
    line,
  })),
);
const messages = recorded.filter(({ line }) => line.error === undefined);

describe("every recorded message", () => {
  test.each(messages)("$name", async ({ line: { method, part, value, deviations = [], refused, strict } }) => {
    const tolerant = receive(acpProfiles.spec, method, part, value);
    if (refused !== undefined) {
      await expect(tolerant).rejects.toMatchObject({
        data: expect.arrayContaining([expect.objectContaining({ path: refused })]),
      });
      return;
    }
    expect((await tolerant).diagnostics.map(({ id }) => id)).toEqual(deviations);
    const reading = receive(acpProfiles.spec, method, part, value, true);
    if (deviations.length > 0 || strict !== undefined) await expect(reading).rejects.toThrow(strict ?? deviations[0]);
    else expect((await reading).diagnostics).toEqual([]);
  });
});

test("elephant.ai's agent needs one repair: the empty stopReason", () => {
  const fromAgent = messages.filter(({ name, line }) => name.startsWith("elephant") && line.from === "agent");
  expect(fromAgent.length).toBeGreaterThan(30);
  expect(
    fromAgent.flatMap(({ line }) => [...(line.deviations ?? []), line.refused, line.strict].filter(Boolean)),
  ).toEqual(["D16"]);
});

test("the recorded errors are recognised for what they are", () => {
  const errors = recorded.flatMap(({ line: { error } }) =>
    error ? [new RemoteError(error.code, error.message, error.data)] : [],
  );
  expect(errors.filter(isSessionNotFound).map(({ message }) => message)).toEqual([
    "session not found",
    "session not found",
    "session not found",
  ]);
  expect(errors.filter(isPromptInProgress).map(({ message }) => message)).toEqual(["prompt already running"]);
});
