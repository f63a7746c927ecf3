import { spawnAcp } from "@editwire/acp/node";
import { fromAcp, toEca } from "@editwire/agent";
import { serveEcaStdio } from "@editwire/eca/node";

const command = process.argv.slice(2);
serveEcaStdio(toEca(fromAcp((handlers) => spawnAcp(command, handlers))));
