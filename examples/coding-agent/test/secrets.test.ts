import { spawn } from "node:child_process";
import { once } from "node:events";
import { dialAcp } from "@editwire/acp";
import { startScriptedModel } from "@editwire/conformance/model";
import { expect, it, onTestFinished } from "vitest";
import { bundle, toolWorker } from "../../../scripts/testing/bundle.js";
import { tempFolder } from "./support/temp-folder.js";

const { main } = await bundle(import.meta.url, { main: "../src/main.ts", ...toolWorker });

const secrets = {
  ACP_TOKEN: "secret-token-from-env",
  OPENAI_API_KEY: "secret-key",
  AWS_SECRET_ACCESS_KEY: "secret-of-another-program",
};
const token = "secret-token-from-argument";

/** Shows what a program can read about itself and about the agent that started it. */
const spy = `for file in environ cmdline; do tr "\\0" "\\n" < /proc/$PPID/$file; done; env; echo "seen: $HARMLESS"`;

it.runIf(process.platform === "linux")(
  "leaves no secret in what a program can read of the agent's environment and command line",
  async () => {
    const model = await startScriptedModel({
      *script() {
        yield { calls: [{ name: "run_command", args: { argv: ["sh", "-c", spy] } }] };
        yield { text: "Done." };
      },
    });
    onTestFinished(() => model.close());
    const args = ["acp", "serve", "--port", "0", "--token", token, "--base-url", model.urls.openai, "--model", "any"];
    const agent = spawn(process.execPath, [main, ...args], {
      env: { PATH: process.env["PATH"], HARMLESS: "yes", CODING_AGENT_ENV: "HARMLESS", ...secrets },
    });
    onTestFinished(() => void agent.kill("SIGKILL"));
    let log = "";
    agent.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
    while (!/serving ACP at .*\n/.test(log)) await once(agent.stderr, "data");

    const client = await dialAcp(/http:\/\/\S+:\d+$/m.exec(log)?.[0] ?? "", {
      paths: "spec",
      token,
      permission: async () => "allow_once",
    });
    onTestFinished(() => client.close());
    const turn = (await client.newSession({ cwd: await tempFolder() })).prompt("Spy");
    await turn.stopReason;

    expect(model.requests.map(({ key }) => key)).toEqual([secrets.OPENAI_API_KEY, secrets.OPENAI_API_KEY]);
    const told = JSON.stringify(model.requests.at(-1));
    expect(told).toContain("seen: yes");
    expect(told).toContain("--base-url");
    expect(told.replaceAll(`"key":"${secrets.OPENAI_API_KEY}"`, "")).not.toMatch(/secret-/);
  },
);
