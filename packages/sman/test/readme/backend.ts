import { isRemoteError } from "@editwire/sman";
import { listenSman } from "@editwire/sman/node";

const [port = "8080"] = process.argv.slice(2);
const backend = await listenSman({ token: "s3cret", port: Number(port) });
const ide = await backend.ide({ projectKey: "autoloop" });

const patterns = ["TODO", "FIXME"];
const answers = await Promise.all(patterns.map((pattern) => ide.call("grep_file", { pattern, context_lines: 2 })));
for (const { result } of answers) console.log(result);

try {
  await ide.call("read_file", { relativePath: "missing.ts" }, { signal: AbortSignal.timeout(5_000) });
} catch (error) {
  if (isRemoteError(error)) console.log(`the tool failed: ${error.message}`);
}
await backend.close();
