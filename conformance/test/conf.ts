import { vi } from "vitest";
import { main } from "../src/cli/main.js";

/** Runs a command line in this process. */
export async function conf(...args: string[]): Promise<{ status: number; stdout: string; stderr: string }> {
  const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const status = await main(args);
    const text = (spy: typeof out): string => spy.mock.calls.map(([chunk]) => String(chunk)).join("");
    return { status, stdout: text(out), stderr: text(err) };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}
