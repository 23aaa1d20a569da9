import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";

interface PageFile {
  readonly type: string;
  /** By content coding; `identity` is always there. */
  readonly bodies: ReadonlyMap<string, Uint8Array>;
}

// The same folder from `src` and from `dist`. `scripts/build-console.mjs` writes it.
const folder = new URL("../../dist/page/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const codings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Nothing but our own files is loaded, nothing inline runs, and no other page can frame this one. */
const headers: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  vary: "accept-encoding",
};

/** Answers a request for the console; `false` if the path is no page of it. */
export type ServePage = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Reads the built console, which holds no data and needs no credential, and serves it from memory. */
export async function serveConsole(): Promise<ServePage> {
  const files = await readFiles();
  const page = files.get("/index.html");
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    // A browser reads two slashes as the start of another host's address.
    if (!/^\/(?!\/)/u.test(path)) return false;
    const isAsset = path.startsWith("/assets/");
    // The page itself finds out what to show at the other addresses.
    const file = isAsset || path === "/icon.svg" ? files.get(path) : page;
    if (file === undefined) return isAsset ? false : explainMissing(response);
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const coding = codings.find(([name]) => accepted.includes(name) && file.bodies.has(name))?.[0];
    const body = file.bodies.get(coding ?? "identity") as Uint8Array;
    response.writeHead(200, {
      ...headers,
      "content-type": file.type,
      "content-length": body.byteLength,
      // The names of assets contain a hash of their content.
      "cache-control": isAsset ? "public, max-age=31536000, immutable" : "no-cache",
      ...(coding !== undefined && { "content-encoding": coding }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
}

function explainMissing(response: ServerResponse): boolean {
  response.writeHead(503, { ...headers, "content-type": "text/plain; charset=utf-8" });
  response.end("The console is not built. Run npm run build and start Haft again.\n");
  return true;
}

async function readFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [] as string[]);
  const names = entries.map((name) => name.replaceAll("\\", "/"));
  const read = (name: string): Promise<Uint8Array> => readFile(new URL(name, folder));
  const files = names
    .filter((name) => types[extname(name)] !== undefined)
    .map(async (name): Promise<[string, PageFile]> => {
      const bodies = new Map([["identity", await read(name)]]);
      for (const [coding, extension] of codings) {
        if (names.includes(name + extension)) bodies.set(coding, await read(name + extension));
      }
      return [`/${name}`, { type: types[extname(name)] as string, bodies }];
    });
  return new Map(await Promise.all(files));
}
