import { RemoteError } from "@editwire/sman";
import { dialSman } from "@editwire/sman/node";

const [url = "ws://127.0.0.1:8080"] = process.argv.slice(2);
const plugin = dialSman(
  {
    tools: {
      grep_file: ({ pattern, relativePath = "all files" }) => `found ${pattern} in ${relativePath}`,
      read_file({ relativePath }) {
        throw new RemoteError(1, `no such file: ${relativePath}`);
      },
    },
  },
  { url, sessionId: "test-123", projectKey: "autoloop", token: "s3cret" },
);
process.once("SIGTERM", () => void plugin.close());
