// The script of the process that runs inside a sandbox, `node egress-bridge.js SOCKET PORT`: programs
// there know how to use a proxy at a port, and all that leads out of there is a socket.
import { connect, createServer, type Socket } from "node:net";

const [, , path = "", port = ""] = process.argv;

const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path, allowHalfOpen: true });
  carry(inner, outer);
  carry(outer, inner);
});

server.listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));

function carry(from: Socket, to: Socket): void {
  from.on("error", () => to.destroy());
  from.once("close", () => to.destroySoon());
  from.pipe(to);
}
