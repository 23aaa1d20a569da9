import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

/** A parsed request of git's smart HTTP protocol. */
export interface GitRequest {
  readonly service: "upload-pack" | "receive-pack";
  /** Whether it lists references (`advertise`) or fetches or pushes (`exchange`). */
  readonly step: "advertise" | "exchange";
  /** The protocol version that the client requested, for git. */
  readonly protocol: string | undefined;
}

/**
 * Parses a request by its path after `/tool/git/`. The path may start with one arbitrary segment,
 * as in `/tool/git/tools`: there is only one repository.
 */
export function readGitRequest(request: IncomingMessage, path: string): GitRequest {
  const parts = path.split("/");
  const [end = "", beforeEnd = ""] = parts.toReversed();
  const isAdvertisement = end === "refs" && beforeEnd === "info";
  const repository = parts.slice(0, isAdvertisement ? -2 : -1);
  if (repository.length > 1 || repository.some((name) => !/^[\w-][\w.-]*$/.test(name))) {
    throw notHere(path);
  }
  const protocol = readProtocol(request);
  if (isAdvertisement) {
    requireMethod(request, "GET");
    return { service: readService(request), step: "advertise", protocol };
  }
  const service = toService(end);
  if (service === undefined) throw notHere(path);
  requireMethod(request, "POST");
  const expected = `application/x-git-${service}-request`;
  if (request.headers["content-type"] !== expected) {
    throw new Problem(415, `The content type of a request to ${end} must be ${expected}. Use git.`);
  }
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (!["identity", "gzip", "x-gzip"].includes(encoding)) {
    throw new Problem(
      415,
      "The encoding of the request's body is not supported. Use gzip or none.",
    );
  }
  return { service, step: "exchange", protocol };
}

function readService(request: IncomingMessage): GitRequest["service"] {
  const query = new URLSearchParams(request.url?.split("?")[1] ?? "");
  const name = query.get("service");
  if (name === null) {
    throw new Problem(403, "Only git's smart HTTP protocol is supported. Use git 1.6.6 or later.");
  }
  const service = toService(name);
  if (service === undefined) {
    throw new Problem(403, "Unknown service. Use git-upload-pack or git-receive-pack.");
  }
  return service;
}

function toService(name: string): GitRequest["service"] | undefined {
  if (name === "git-upload-pack") return "upload-pack";
  return name === "git-receive-pack" ? "receive-pack" : undefined;
}

function readProtocol(request: IncomingMessage): string | undefined {
  const header = request.headers["git-protocol"];
  return typeof header === "string" && /^[\w=.:-]{1,200}$/.test(header) ? header : undefined;
}

function requireMethod(request: IncomingMessage, method: "GET" | "POST"): void {
  if (request.method !== method) {
    throw new Problem(405, `This path requires ${method}. Use git.`, { allow: method });
  }
}

function notHere(path: string): Problem {
  const isDumb = /(^|\/)(HEAD|objects\/.*|info\/(?!refs$).*)$/.test(path);
  if (isDumb)
    return new Problem(403, "Only git's smart HTTP protocol is supported. Use git itself.");
  return new Problem(404, "Unknown path. The URL of the git remote ends with /tool/git.");
}
