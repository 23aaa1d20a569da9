import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A server with a git repository on this machine. */
export interface GitServer {
  /** Ends in `/project.git`; beside it are `empty.git`, `private.git` and `slow.git`. */
  readonly url: string;
  readonly port: number;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** The newest commit. */
  readonly commit: string;
}

/** Starts one that ends with the test. Paths below `/to/` lead to what the rest of them says. */
export async function startGitServer(): Promise<GitServer> {
  const base = mkdtempSync(join(tmpdir(), "haft-git-"));
  const commit = makeRepositories(base);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response, base);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    await stop(server);
    rmSync(base, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/project.git`, port, asked, commit };
}

function makeRepositories(base: string): string {
  const git = (cwd: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.com", ...args], {
      cwd,
      encoding: "utf8",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
  const work = join(base, "work");
  mkdirSync(join(work, "src"), { recursive: true });
  git(work, "init", "--quiet", "--initial-branch=main");
  writeFileSync(join(work, "old.txt"), "old\n");
  git(work, "add", ".");
  git(work, "commit", "--quiet", "--message=first");
  git(work, "tag", "v1");
  git(work, "branch", "other");
  writeFileSync(join(work, "src/a.ts"), "export {};\n");
  symlinkSync("src", join(work, "link"));
  writeFileSync(join(work, ".gitmodules"), '[submodule "s"]\n\tpath = s\n\turl = /etc\n');
  git(work, "add", ".");
  git(work, "commit", "--quiet", "--message=second");
  const served = join(base, "served");
  mkdirSync(served);
  git(base, "clone", "--quiet", "--bare", work, join(served, "project.git"));
  git(base, "init", "--quiet", "--bare", "--initial-branch=main", join(served, "empty.git"));
  return git(work, "rev-parse", "HEAD");
}

function answer(request: IncomingMessage, response: ServerResponse, base: string): void {
  const { pathname, search } = new URL(request.url ?? "/", "http://localhost");
  if (pathname.startsWith("/private.git")) {
    response.writeHead(401, { "www-authenticate": "Basic realm=x" }).end();
  } else if (pathname.startsWith("/slow.git")) {
    // Never answers.
  } else if (pathname.startsWith("/to/")) {
    const location = decodeURIComponent(pathname.slice(4)) + search;
    response.writeHead(302, { location }).end();
  } else {
    serve({ request, response, pathname, query: search.slice(1) }, join(base, "served"));
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly pathname: string;
  readonly query: string;
}

/** Hands a request to git's own program for servers, which speaks CGI. */
function serve({ request, response, pathname, query }: Exchange, root: string): void {
  const { headers, method = "GET" } = request;
  const backend = spawn("git", ["http-backend"], {
    env: {
      ...process.env,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      PATH_INFO: pathname,
      QUERY_STRING: query,
      REQUEST_METHOD: method,
      CONTENT_TYPE: headers["content-type"] ?? "",
      ...(headers["content-encoding"] && { HTTP_CONTENT_ENCODING: headers["content-encoding"] }),
      ...(headers["git-protocol"] && { GIT_PROTOCOL: String(headers["git-protocol"]) }),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  request.pipe(backend.stdin);
  backend.stdin.on("error", () => {});
  const parts: Buffer[] = [];
  backend.stdout.on("data", (part: Buffer) => parts.push(part));
  backend.on("close", () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf("\r\n\r\n");
    const lines = all.subarray(0, end).toString().split("\r\n");
    const fields = lines.map((line) => line.split(/: (.*)/su) as [string, string]);
    const status = fields.find(([name]) => name === "Status")?.[1] ?? "200";
    for (const [name, value] of fields) if (name !== "Status") response.setHeader(name, value);
    response.writeHead(Number.parseInt(status, 10)).end(all.subarray(end + 4));
  });
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
