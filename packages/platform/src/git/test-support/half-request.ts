import { type ClientRequest, request } from "node:http";

/** Begins a push and leaves it at that: the rest can be sent, or the connection be cut. */
export function beginPush(remote: string, start: Buffer): ClientRequest {
  const push = begin(remote, "receive-pack");
  push.write(start);
  return push;
}

/** Asks for a commit and does not read the answer. */
export function beginClone(remote: string, commit: string): ClientRequest {
  const clone = begin(remote, "upload-pack");
  clone.end(`0032want ${commit}\n00000009done\n`);
  return clone;
}

function begin(remote: string, service: string): ClientRequest {
  const { username, password, hostname, port, pathname } = new URL(remote);
  const begun = request({
    hostname,
    port,
    path: `${pathname}/git-${service}`,
    method: "POST",
    auth: `${username}:${password}`,
    agent: false,
    headers: { "content-type": `application/x-git-${service}-request` },
  });
  // The test itself closes the connection, so an error is expected.
  begun.on("error", () => {});
  return begun;
}
