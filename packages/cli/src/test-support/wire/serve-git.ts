import { execFileSync, spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

/** Makes an empty bare repository that takes pushes over HTTP, and returns its path. */
export function makeRepository(path: string): string {
  execFileSync("git", ["init", "--quiet", "--bare", "--initial-branch=main", path]);
  execFileSync("git", ["-C", path, "config", "http.receivepack", "true"]);
  return path;
}

/** Speaks git's smart HTTP with git's own program for it. */
export function serveGit(
  repository: string,
  path: string,
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
): void {
  const programs = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
  const { pathname, search } = new URL(path, "http://a");
  const child = spawn(join(programs, "git-http-backend"), [], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: repository,
      GIT_HTTP_EXPORT_ALL: "1",
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: request.headers["content-encoding"] ?? "",
      GIT_PROTOCOL: String(request.headers["git-protocol"] ?? ""),
    },
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf("\r\n\r\n");
    for (const line of answer.subarray(0, end).toString("utf8").split("\r\n")) {
      const [name = "", value = ""] = line.split(/: (.*)/su);
      if (name.toLowerCase() === "status") response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.end(answer.subarray(end + 4));
  });
}
