import { rm } from "node:fs/promises";
import { Command, Option } from "commander";
import { textLines } from "@editwire/framing";
import { type Entry, type PartName, partNames, type Told } from "./messages.js";
import { choosePlaces } from "./places.js";
import { changesIn, copyProject, testProject } from "./project.js";
import { Story } from "./story.js";
import { System } from "./system.js";
import { Timeline } from "./timeline.js";

/** Lines that the agent writes for developers: what a protocol does not say, by its id. */
const diagnostic = /^coding-agent: [\w-]+(\.[\w-]+)?: /;

/** Runs the whole system on the sample project. Returns whether every defect was fixed. */
async function demo(killed: PartName | undefined): Promise<boolean> {
  const places = await choosePlaces();
  await copyProject(places.project);
  const before = await testProject(places.project);
  console.log(`A project in which ${before.failed} of ${before.passed + before.failed} tests fail.\n`);
  const timeline = new Timeline(console.log);
  let failed = (): void => {};
  const isBroken = new Promise<boolean>((resolve) => (failed = () => resolve(false)));
  const system = new System(places, {
    told: (name, told) => void hear(name, told),
    wrote(name, line) {
      if (!diagnostic.test(line)) timeline.note(name, line.replace(/^coding-agent: /, ""));
    },
    ended(name, how) {
      timeline.note(name, `${how}; the demo starts it again`, "✗");
      story.restarted(name);
    },
    failed(name) {
      timeline.note(name, "ends each time that it is started", "✗");
      failed();
    },
  });
  const story = new Story({ project: places.project, send: (name, command) => system.send(name, command) });
  let isKilled = false;
  const killOnce = (): void => {
    if (!isKilled) kill("agent");
    isKilled = true;
  };
  const kill = (name: PartName): void => {
    timeline.note("demo", `kills ${name} with SIGKILL`);
    system.kill(name);
  };
  const hear = async (name: PartName, told: Told): Promise<void> => {
    if (told.type === "entry") timeline.add(told.entry);
    if (told.type === "entry" && killed === "agent" && isLongCall(told.entry)) killOnce();
    if (told.type === "note" || told.type === "over") timeline.note(name, told.text);
    if (told.type === "holds") kill(name);
    await story.told(name, told);
  };
  try {
    process.once("SIGINT", () => {
      timeline.note("demo", "was interrupted");
      failed();
    });
    system.start(killed);
    if (process.stdin.isTTY) listen(system, timeline);
    const isFixed = await Promise.race([story.over, isBroken]);
    timeline.end();
    const after = await testProject(places.project);
    console.log(`\n${(await changesIn(places.project)).join("\n")}`);
    console.log(`\n${after.passed} of ${after.passed + after.failed} tests pass.`);
    return isFixed && after.failed === 0;
  } finally {
    await system.close();
    await rm(places.folder, { recursive: true, force: true });
  }
}

/** The call that takes the IDE longest: the agent is in the middle of its work then. */
function isLongCall({ to, text }: Entry): boolean {
  return to === "ide" && text.startsWith("call_chain");
}

/** Takes what is typed: the name of a process kills it, and any other text is sent to the ACP editor. */
function listen(system: System, timeline: Timeline): void {
  console.log(
    `Type the name of a process to kill it (${partNames.join(", ")}), or a text to say it in the ACP editor.\n`,
  );
  const { push } = textLines();
  process.stdin.on("data", (chunk: Buffer) => {
    for (const line of push(chunk)) take(line);
  });
  const take = (line: string): void => {
    const name = partNames.find((part) => part === line.trim());
    if (name !== undefined) {
      timeline.note("demo", `kills ${name} with SIGKILL`);
      system.kill(name);
    } else if (line.trim() !== "") system.send("acp-editor", { type: "say", text: line });
  };
}

const { kill } = new Command("full")
  .description("Runs a host, an IDE, the agent and three editors on one project, and shows the messages between them.")
  .addOption(new Option("--kill <process>", "kill a process in the middle of its work").choices(partNames))
  .parse()
  .opts<{ kill?: PartName }>();
process.env["DEMO_CHUNK_DELAY"] ??= process.stdout.isTTY ? "15" : "0";
process.exitCode = (await demo(kill)) ? 0 : 1;
process.exit();
