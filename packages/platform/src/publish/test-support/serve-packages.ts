import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
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
  /** Adds a package of Python. */
  addPython(name: string, files: Readonly<Record<string, string>>): void;
  stop(): Promise<void>;
}

const version = "1.0.0";

/** Serves packages as the public registries do. */
export async function servePackages(): Promise<PackageServer> {
  const answers = new Map<string, { type: string; body: string | Uint8Array }>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    asked.push(path);
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
    addPython: (name, files) => {
      const file = `${name}-${version}-py3-none-any.whl`;
      const bytes = packWheel(toBytes(files), { name, version });
      const body = `<!DOCTYPE html><html><body><a href="/files/${file}">${file}</a></body></html>`;
      answers.set(`/simple/${name}/`, { type: "text/html", body });
      answers.set(`/files/${file}`, { type: "application/zip", body: bytes });
    },
    stop: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

function toBytes(files: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]));
}
