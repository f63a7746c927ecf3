import { openIdeTools, ToolError } from "@editwire/ide-tools";

const [folder = "."] = process.argv.slice(2);
const tools = await openIdeTools(folder);
try {
  console.log(await tools.read_file({ relativePath: "src/Main.java", start_line: 2, end_line: 3 }));
  const change = { relativePath: "src/Main.java", searchContent: 'return "Hi";', replaceContent: 'return "Hello";' };
  console.log(await tools.apply_change(change));
  await tools.read_file({ relativePath: "../secret.txt" });
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.log(error.message);
}
