/** Resolves `count` macrotasks later; vscode-jsonrpc handles one queued message in each. */
export async function macrotasks(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await new Promise<void>((resolve) => {
      if (typeof setImmediate === "function") setImmediate(resolve);
      else setTimeout(resolve, 0);
    });
  }
}
