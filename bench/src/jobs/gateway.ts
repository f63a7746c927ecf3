import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type GatewayEditor,
  type GatewayErrand,
  type GatewayProtocol,
  openEditor,
} from "../contenders/gateway-ends.js";
import type { Figures, JobOf } from "./job.js";

/** The role of a process of `gateway.mjs`. */
export interface GatewaySide {
  /** The protocol of the editor that a gateway serves; absent: this is the agent. */
  readonly editor?: GatewayProtocol | undefined;
  readonly agent: GatewayProtocol;
  /** The gateway copies bytes: it is what another process costs that understands nothing. */
  readonly copies?: boolean | undefined;
  /** The file to write samples of its memory to. */
  readonly samples?: string | undefined;
}

const program = fileURLToPath(new URL("gateway.mjs", import.meta.url));
const mebibyte = 1024 * 1024;

/** Files for the memory of the processes behind the editor, the nearest first. */
type Samples = readonly (string | undefined)[];

/** The command of an agent, or of the gateway to it, and the protocol that it serves. */
function commandOf(contender: string, [first, second]: Samples): { protocol: GatewayProtocol; argv: string[] } {
  const [, who, editor, agent] = /^(editwire|copy|floor)\/(acp|eca)-(acp|eca)$/.exec(contender) ?? [];
  if (editor === undefined || agent === undefined) throw new Error(`${contender} is not a gateway`);
  const sides = { editor: editor as GatewayProtocol, agent: agent as GatewayProtocol };
  const run = (side: GatewaySide): string[] => [process.execPath, ...process.execArgv, program, JSON.stringify(side)];
  if (who === "floor") return { protocol: sides.agent, argv: run({ agent: sides.agent, samples: first }) };
  const behind = run({ agent: sides.agent, samples: second });
  if (who === "copy") return { protocol: sides.agent, argv: [...run({ agent: sides.agent, copies: true }), ...behind] };
  return { protocol: sides.editor, argv: [...run({ ...sides, samples: first }), ...behind] };
}

async function open(contender: string, samples: Samples = []): Promise<GatewayEditor> {
  const { protocol, argv } = commandOf(contender, samples);
  return openEditor(protocol, argv);
}

/** Runs a turn, and checks that every text arrived. */
async function turn(editor: GatewayEditor, errand: GatewayErrand, onText = (): void | Promise<void> => {}) {
  let chars = 0;
  await editor.turn(errand, (text) => {
    chars += text.length;
    return onText();
  });
  const expected = errand.texts * errand.chars;
  if (chars !== expected) throw new Error(`expected ${expected} characters, received ${chars}`);
}

/** Measures an agent behind a gateway, or without it. */
export async function gateway(job: JobOf<"gateway">): Promise<Figures> {
  switch (job.what) {
    case "ping":
      return ping(job);
    case "flood":
      return flood(job);
    case "slow":
      return slow(job);
  }
}

/** Short turns, one after the other: latencies in microseconds. */
async function ping({ contender, count }: JobOf<"gateway">): Promise<Figures> {
  const editor = await open(contender);
  const errand = { texts: 1, chars: 20 };
  for (let warm = 0; warm < count / 2; warm += 1) await turn(editor, errand);
  const latencies = new Float64Array(count);
  for (let n = 0; n < count; n += 1) {
    const start = performance.now();
    await turn(editor, errand);
    latencies[n] = (performance.now() - start) * 1_000;
  }
  await editor.close();
  latencies.sort();
  return { p50: latencies[Math.floor(count / 2)] ?? NaN, p99: latencies[Math.floor(count * 0.99)] ?? NaN };
}

/** One turn with many texts: thousands of texts a second. */
async function flood({ contender, count }: JobOf<"gateway">): Promise<Figures> {
  const editor = await open(contender);
  const chars = 60;
  await turn(editor, { texts: Math.ceil(count / 4), chars });
  const start = performance.now();
  await turn(editor, { texts: count, chars });
  const rate = count / (performance.now() - start);
  await editor.close();
  return { rate };
}

/** Texts of 16 KB for an editor that takes a millisecond for each: the memory of all processes above idle, in MiB. */
async function slow({ contender, count }: JobOf<"gateway">): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "editwire-bench-memory-"));
  try {
    const files = [join(folder, "near"), join(folder, "far")];
    const editor = await open(contender, files);
    await turn(editor, { texts: 10, chars: 20 });
    const from = Date.now();
    await turn(editor, { texts: count, chars: 16 * 1024 }, () => new Promise((resolve) => setTimeout(resolve, 1)));
    await editor.close();
    return { memory: aboveIdle(files[0] ?? "", from) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The highest resident memory of a process since a time, above that before it, in MiB. */
function aboveIdle(file: string, from: number): number {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const samples = lines.map((line) => line.split(" ").map(Number) as [at: number, rss: number]);
  const idle = samples.filter(([at]) => at <= from).at(-1)?.[1] ?? NaN;
  const peak = Math.max(...samples.filter(([at]) => at > from).map(([, rss]) => rss));
  return (peak - idle) / mebibyte;
}
