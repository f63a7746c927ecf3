import { acpProfiles } from "@editwire/acp";
import { ecaProfiles } from "@editwire/eca";
import { helixZedProfiles } from "@editwire/helix-zed";
import { Argument, Command, Option } from "commander";
import { dollars, httpUrl, milliseconds, portNumber, tokenCount } from "./cli-values.js";
import type { EndpointSettings } from "./endpoint.js";
import type { FrontSettings } from "./fronts/front.js";
import type { Prices } from "./prices.js";

/** The settings that the command line asks for. */
export interface AgentSettings extends EndpointSettings {
  /** Tokens that the model can take in. */
  readonly contextTokens: number;
  /** The prices of the model; absent where they are not known. */
  readonly prices: Prices | undefined;
  /** The folder in which sessions are kept. Absent: they end with the process. */
  readonly store: string | undefined;
  /** The port at which IDEs offer their tools over sman. Absent: the tools run in this process. */
  readonly idePort: number | undefined;
  /** The protocols that the agent is served over. */
  readonly fronts: readonly FrontSettings[];
  /** The handling of a prompt while a turn runs. With several protocols, it is added to the turn. */
  readonly whenBusy: "reject" | "steer";
  /** Whether stderr also has what is not a problem: the model, connections, what a protocol does not express. */
  readonly verbose: boolean;
  /** Texts that programs must not find in the command line. */
  readonly secrets: readonly string[];
}

interface CommonOptions {
  model?: string;
  baseUrl?: string;
  chunkDelay: number;
  contextTokens: number;
  inputPrice?: number;
  outputPrice?: number;
  store?: string;
  idePort?: number;
  verbose: boolean;
}

interface ListenOptions {
  host?: string;
  port?: number;
  token?: string;
}

type Serve = (settings: AgentSettings) => Promise<void>;

const defaultListen = { host: "127.0.0.1", port: 9000 };

/** The command line of the agent. An empty environment variable counts as absent. */
export function createProgram(serve: Serve): Command {
  const program = new Command("coding-agent").description("A coding agent that works on a folder, over any protocol");
  acpCommand(program, serve);
  ecaCommand(program, serve);
  kaiakCommand(program, serve);
  helixZedCommand(program, serve);
  serveCommand(program, serve);
  return program;
}

function acpCommand(program: Command, serve: Serve): void {
  common(program.command("acp", { isDefault: true }))
    .description("Serve ACP on stdin and stdout, or over HTTP")
    .addArgument(new Argument("[how]", "serve: over HTTP").choices(["serve"]))
    .addOption(profileOption(acpProfiles, "dialect of ACP (default: that of the client)"))
    .addOption(
      new Option("--over <transport>", "with serve: sse for the specification's HTTP, streamable for that of version 1")
        .choices(["sse", "streamable"])
        .default("sse"),
    )
    .addOption(new Option("--host <host>", `with serve: where to listen (default: ${defaultListen.host})`))
    .addOption(
      new Option(
        "--port <port>",
        `with serve: the port, 0 for any that is free (default: ${defaultListen.port})`,
      ).argParser(portNumber),
    )
    .addOption(
      new Option(
        "--token <token>",
        "with serve: what callers have to know; needed where other machines can reach the agent",
      ).env("ACP_TOKEN"),
    )
    .action((how, { profile, over, ...options }: CommonOptions & ListenOptions & AcpOptions, command: Command) => {
      const { host, port, token } = options;
      if (how === undefined && (host ?? port) !== undefined)
        command.error("error: --host and --port are options of acp serve");
      const listen = how && { ...defaultListen, ...definedOnly({ host, port }), token: token || undefined, over };
      const secrets = how === undefined || !token ? [] : [token];
      return serve(
        settingsOf(options, [{ protocol: "acp", profile: profile && acpProfiles[profile], listen }], secrets),
      );
    });
}

function ecaCommand(program: Command, serve: Serve): void {
  common(program.command("eca"))
    .description("Serve ECA on stdin and stdout")
    .argument("[server]", "what editors pass; there is nothing else to do")
    .addOption(profileOption(ecaProfiles, "dialect to write; both are read").default("spec"))
    .addOption(new Option("--no-watch-parent", "go on when the editor's process is gone, as in a container"))
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_word, { profile, watchParent, ...options }: CommonOptions & EcaOptions) =>
      serve(settingsOf(options, [{ protocol: "eca", profile: ecaProfiles[profile], watchParent }])),
    );
}

function kaiakCommand(program: Command, serve: Serve): void {
  common(program.command("kaiak"))
    .description("Serve Kaiak to one client on stdin and stdout, or to any number on a Unix socket")
    .option("--socket <path>", "the Unix socket")
    .action(({ socket, ...options }: CommonOptions & { socket?: string }) =>
      serve(settingsOf(options, [{ protocol: "kaiak", socket: socket || undefined }])),
    );
}

function helixZedCommand(program: Command, serve: Serve): void {
  common(program.command("helix-zed"))
    .description("Dial a Helix-Zed host, and serve it")
    .requiredOption("--url <url>", "the host")
    .option("--session <id>", "the id of this agent", "ses_1")
    .option("--cwd <folder>", "the folder to work on", ".")
    .option("--yes", "allow whatever the model wants to do: hosts cannot ask the user", false)
    .addOption(new Option("--token <token>", "what the host expects").env("HELIX_TOKEN"))
    .addOption(profileOption(helixZedProfiles, "the dialect").default("spec"))
    .action(({ url, session, cwd, yes, token, profile, ...options }: CommonOptions & HelixZedOptions) => {
      const dialect = helixZedProfiles[profile];
      const front = {
        protocol: "helix-zed",
        url,
        session,
        cwd,
        permission: yes ? "allow" : "reject",
        token: token || undefined,
        profile: dialect,
      } as const;
      return serve(settingsOf(options, [front], token ? [token] : []));
    });
}

function serveCommand(program: Command, serve: Serve): void {
  common(program.command("serve"))
    .description("Serve several protocols at once: the messages of a session over one of them are seen over the others")
    .addOption(new Option("--acp <port>", "ACP over Streamable HTTP and WebSockets").argParser(portNumber))
    .option("--eca <socket>", "ECA on a Unix socket")
    .option("--kaiak <socket>", "Kaiak on a Unix socket")
    .option("--helix-zed <url>", "Helix-Zed, to the host at this URL")
    .option("--cwd <folder>", "the folder of the threads of Helix-Zed", ".")
    .addOption(
      new Option("--token <token>", "the token that callers and IDEs must send, and that is sent to the host").env(
        "AGENT_TOKEN",
      ),
    )
    .action(({ acp, eca, kaiak, helixZed, cwd, token: given, ...options }: CommonOptions & ServeOptions) => {
      const token = given || undefined;
      const fronts: (FrontSettings | undefined)[] = [
        acp === undefined ? undefined : acpOn(acp, token),
        eca === undefined ? undefined : { protocol: "eca", profile: ecaProfiles.v2026, socket: eca },
        kaiak === undefined ? undefined : { protocol: "kaiak", socket: kaiak },
        helixZed === undefined ? undefined : helixZedTo(helixZed, cwd, token),
      ];
      return serve(
        settingsOf(
          options,
          fronts.filter((front) => front !== undefined),
          token === undefined ? [] : [token],
        ),
      );
    });
}

interface AcpOptions {
  profile?: keyof typeof acpProfiles;
  over: "sse" | "streamable";
}

interface EcaOptions {
  profile: keyof typeof ecaProfiles;
  watchParent: boolean;
}

interface HelixZedOptions {
  url: string;
  session: string;
  cwd: string;
  yes: boolean;
  token?: string;
  profile: keyof typeof helixZedProfiles;
}

interface ServeOptions {
  acp?: number;
  eca?: string;
  kaiak?: string;
  helixZed?: string;
  cwd: string;
  token?: string;
}

function acpOn(port: number, token: string | undefined): FrontSettings {
  return { protocol: "acp", profile: undefined, listen: { host: "127.0.0.1", port, token, over: "streamable" } };
}

/** Permissions are asked for in the editors that have the session open. */
function helixZedTo(url: string, cwd: string, token: string | undefined): FrontSettings {
  const profile = helixZedProfiles.v2026;
  return { protocol: "helix-zed", url, session: "ses_1", cwd, permission: "editors", token, profile };
}

/** Adds what every command takes. */
function common(command: Command): Command {
  return command
    .addOption(new Option("--model <name>", "name of the model").env("CODING_AGENT_MODEL"))
    .addOption(new Option("--base-url <url>", "OpenAI-compatible endpoint").env("OPENAI_BASE_URL").argParser(httpUrl))
    .addOption(
      new Option("--chunk-delay <ms>", "pause between two chunks of the scripted model")
        .argParser(milliseconds)
        .default(0),
    )
    .addOption(
      new Option("--context-tokens <count>", "tokens that the model can take in, for the display of the usage")
        .argParser(tokenCount)
        .default(128_000),
    )
    .addOption(new Option("--input-price <dollars>", "price of a million tokens that are sent").argParser(dollars))
    .addOption(new Option("--output-price <dollars>", "price of a million tokens that are received").argParser(dollars))
    .option("--store <folder>", "keep the sessions there")
    .addOption(
      new Option(
        "--ide-port <port>",
        "use the tools of IDEs that connect over sman, not those of this process",
      ).argParser(portNumber),
    )
    .option("--verbose", "report on stderr the model, connections, and what a protocol does not express", false)
    .allowExcessArguments(false);
}

function profileOption(profiles: object, description: string): Option {
  return new Option("--profile <name>", description).choices(Object.keys(profiles));
}

function settingsOf(
  { model, baseUrl, chunkDelay, contextTokens, inputPrice, outputPrice, store, idePort, verbose }: CommonOptions,
  fronts: readonly FrontSettings[],
  secrets: readonly string[] = [],
): AgentSettings {
  return {
    model: model || undefined,
    baseUrl: baseUrl || undefined,
    apiKey: process.env["OPENAI_API_KEY"] || undefined,
    chunkDelayMs: chunkDelay,
    contextTokens,
    prices:
      (inputPrice ?? outputPrice) === undefined ? undefined : { input: inputPrice ?? 0, output: outputPrice ?? 0 },
    store: store || undefined,
    idePort,
    verbose,
    fronts,
    whenBusy: fronts.length > 1 ? "steer" : "reject",
    secrets,
  };
}

function definedOnly<T extends object>(options: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
