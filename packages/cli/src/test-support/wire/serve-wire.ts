import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { makeRepository, serveGit } from "./serve-git.ts";
import {
  apiKeyId,
  organization,
  reply,
  userId,
  type WireHandler,
  type WireRequest,
  wireTool,
} from "./wire-platform.ts";

/** A platform's wire without the platform; it ends with the test. */
export interface TestWire {
  readonly url: string;
  readonly apiKey: string;
  /** Variables with which commands find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** What came, git's requests left out. */
  readonly requests: readonly WireRequest[];
  /** The organization's bare repository, which is made when it is first asked for. */
  repository(): string;
  /** The last credential that git brought. */
  gitCredential(): string | undefined;
}

const apiKey = "test-key";

/** Serves what every command needs: who somebody is, the tools, git; the rest a test answers. */
export async function serveWire(handle: WireHandler = () => false): Promise<TestWire> {
  const directory = mkdtempSync(join(tmpdir(), "haft-wire-"));
  let made: string | undefined;
  const repository = (): string => {
    made ??= makeRepository(join(directory, "repository.git"));
    return made;
  };
  const requests: WireRequest[] = [];
  let gitCredential: string | undefined;
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? "", "http://a");
    const prefix = `/v1/${organization}`;
    if (pathname.startsWith(`${prefix}/tool/git`)) {
      gitCredential = request.headers.authorization;
      const expected = Buffer.from(`${organization}_${userId}:${apiKey}`).toString("base64");
      if (gitCredential !== `Basic ${expected}`) {
        response.setHeader("www-authenticate", "Basic");
        reply(response, 401, { detail: "Who are you?" });
        return;
      }
      const path = `${pathname.slice(`${prefix}/tool/git`.length)}${search}`;
      serveGit(repository(), path, { request, response });
      return;
    }
    void readBody(request).then((body) => {
      const path = pathname.replace(prefix, "");
      const { method = "", headers } = request;
      const one = { method, path, query: searchParams, headers, body };
      requests.push(one);
      if (headers.authorization !== `Bearer ${apiKey}`) {
        reply(response, 401, { detail: "The API key is not known." });
      } else if (!handle(one, response) && !answerUsual(one, response)) {
        reply(response, 404, { detail: "There is no such route." });
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    apiKey,
    environment: { HAFT_URL: url, HAFT_API_KEY: apiKey },
    requests,
    repository,
    gitCredential: () => gitCredential,
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  return text === "" ? undefined : JSON.parse(text);
}

function answerUsual({ method, path, query }: WireRequest, response: ServerResponse): boolean {
  if (path === "/v1/whoami") {
    return reply(response, 200, {
      organization,
      organization_name: "acme",
      user_id: userId,
      api_key_id: apiKeyId,
      role: "DefaultAdministratorRole",
      permissions: [],
    });
  }
  if (method !== "GET" || path !== "/tool/") return false;
  const ids = query.getAll("id");
  const all = [wireTool("word_count"), wireTool("old_tool", { deprecated: true })];
  const tools = all
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .filter(({ deprecated }) => query.get("deprecated") !== "false" || !deprecated);
  const page = {
    has_more: false,
    continuation_token: null,
    filter_values: { tags: ["team:blue"] },
  };
  return reply(response, 200, { tools, ...page });
}
