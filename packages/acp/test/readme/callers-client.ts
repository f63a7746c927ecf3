import { dialAcp } from "@editwire/acp";

for (const token of ["token-of-ada", "token-of-bob", "token-of-eve"]) {
  try {
    const agent = await dialAcp(process.argv[2] ?? "http://127.0.0.1:9000", { token });
    const session = await agent.newSession({ cwd: "/work/project" });
    console.log(await session.prompt("Hello").readText());
    await agent.close();
  } catch (error) {
    console.log(String(error)); // Eve gets no further: 401
  }
}
