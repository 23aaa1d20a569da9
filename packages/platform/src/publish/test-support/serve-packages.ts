import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { packTarball } from "../pack-tarball.ts";
import { packWheel } from "../pack-wheel.ts";

/** A registry of npm and an index of Python on a free port. */
export interface PackageServer {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** Adds a package of Node, and gives its entry of a lockfile. */
  addNode(name: string, files: Readonly<Record<string, string>>): Promise<object>;
  /** Adds a package of Node whose tarball is made elsewhere, and gives its entry of a lockfile. */
  addTarball(
    name: string,
    tarball: Uint8Array,
  ): { version: string; resolved: string; integrity: string };
  /** Answers a path in any way. */
  serve(path: string, answer: (response: ServerResponse) => void): void;
  /** Adds a package of Python. */
  addPython(name: string, files: Readonly<Record<string, string>>): void;
  /** Adds a wheel that is made elsewhere. */
  addWheel(name: string, wheel: Uint8Array): void;
  stop(): Promise<void>;
}

const version = "1.0.0";

/** Serves packages as the public registries do. */
export async function servePackages(): Promise<PackageServer> {
  const answers = new Map<string, { type: string; body: string | Uint8Array }>();
  const handlers = new Map<string, (response: ServerResponse) => void>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    asked.push(path);
    const own = handlers.get(path);
    if (own !== undefined) {
      own(response);
      return;
    }
    const answer = answers.get(path);
    response.statusCode = answer === undefined ? 404 : 200;
    response.setHeader("content-type", answer?.type ?? "text/plain");
    response.end(answer?.body ?? "not found");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url,
    asked,
    addNode: async (name, files) => {
      const tarball = await packTarball(toBytes(files), "package");
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      const path = `/${name}/-/${name.split("/").at(-1)}-${version}.tgz`;
      const resolved = url + path;
      const dist = { tarball: resolved, integrity };
      const described = JSON.parse(files["package.json"] ?? "{}");
      const versions = { [version]: { ...described, name, version, dist } };
      const about = { name, "dist-tags": { latest: version }, versions };
      answers.set(`/${name.replace("/", "%2f")}`, {
        type: "application/json",
        body: JSON.stringify(about),
      });
      answers.set(path, { type: "application/octet-stream", body: tarball });
      return { version, resolved, integrity };
    },
    serve: (path, answer) => void handlers.set(path, answer),
    addTarball: (name, tarball) => {
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      const path = `/${name}/-/${name}-${version}.tgz`;
      answers.set(path, { type: "application/octet-stream", body: tarball });
      return { version, resolved: url + path, integrity };
    },
    addPython: (name, files) => addWheel(name, packWheel(toBytes(files), { name, version })),
    addWheel,
    stop: () => close(server),
  };

  function addWheel(name: string, bytes: Uint8Array): void {
    const file = `${name}-${version}-py3-none-any.whl`;
    const body = `<!DOCTYPE html><html><body><a href="/files/${file}">${file}</a></body></html>`;
    answers.set(`/simple/${name}/`, { type: "text/html", body });
    answers.set(`/files/${file}`, { type: "application/zip", body: bytes });
  }
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

function toBytes(files: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}
