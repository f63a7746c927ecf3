import { execFile, execFileSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { bundle } from "../../../scripts/testing/bundle.js";

const { lostPeer } = await bundle(import.meta.url, { lostPeer: "fixtures/lost-peer.ts" });

/** Whether this machine lets us have a network of our own, whose cable can be pulled. */
function canUnplug(): boolean {
  try {
    execFileSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("both ends of a TCP connection notice that the other is out of reach", async ({ skip }) => {
  if (!canUnplug()) return skip("needs unshare and ip, and the right to make a network namespace");
  const run = promisify(execFile);
  const { stdout } = await run("unshare", ["-rn", process.execPath, lostPeer], { timeout: 250_000 });
  expect(stdout.trim().split("\n")).toEqual(Array(2).fill(expect.stringMatching(/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/)));
});
