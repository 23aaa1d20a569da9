// The script of a process inside a sandbox, `node egress-bridge.js SOCKET PORT`: programs there expect
// a proxy on a port, but the only way out of the sandbox is a socket.
import { closeSync, openSync, writeSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";

const [, , path = "", port = ""] = process.argv;

const server = createServer({ allowHalfOpen: true }, (inner) => {
  const outer = connect({ path, allowHalfOpen: true });
  carry(inner, outer);
  carry(outer, inner);
});

server.listen(Number(port), "127.0.0.1", () => {
  writeSync(1, `${process.pid}\n`);
  // The supervisor waits for the end of this output. Another file takes the descriptor, or a socket would,
  // which Node never closes there.
  closeSync(1);
  openSync("/dev/null", "w");
});

function carry(from: Socket, to: Socket): void {
  from.on("error", () => to.destroy());
  from.once("close", () => to.destroySoon());
  from.pipe(to);
}
