import { connect } from "node:net";
import { isErrorCode, ToolError } from "@haft/contract";
import { readLines } from "../../broker/read-lines.ts";
import type { KeeperReply, KeeperRequest } from "./job-messages.ts";
import type { KeeperFile } from "./keeper-file.ts";

/** Asks a keeper of jobs. `undefined` if nobody listens any more. */
export function askKeeper<Answer>(
  { socket: path, token }: Pick<KeeperFile, "socket" | "token">,
  request: KeeperRequest,
): Promise<Answer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
  const socket = connect(path);
  readLines<KeeperReply>(socket, (reply) => {
    if (reply.type === "answer") resolve(reply.answer as Answer);
    else reject(toError(reply));
    socket.destroy();
  });
  socket.on("error", () => resolve(undefined));
  socket.on("close", () => resolve(undefined));
  socket.write(`${JSON.stringify({ token, ...request })}\n`);
  return promise;
}

function toError({ code, message }: Extract<KeeperReply, { type: "error" }>): ToolError {
  return new ToolError(isErrorCode(code) ? code : "internal", message);
}
