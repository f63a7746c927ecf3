/** The program of a shim: what it reads goes to the socket, what comes from there it writes, and it ends with either. */
export function shimSource(node: string, socket: string): string {
  return `#!${node}
const { connect } = require("node:net");
const socket = connect({ path: ${JSON.stringify(socket)}, allowHalfOpen: true });
process.stdin.pipe(socket);
socket.pipe(process.stdout);
socket.on("close", () => process.exit(0));
socket.on("error", () => process.exit(1));
`;
}
