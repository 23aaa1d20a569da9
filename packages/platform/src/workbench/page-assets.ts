import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { FastifyPluginAsync } from "fastify";

/** A file of the page. */
export interface PageAsset {
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

// The same path from `src` and from `dist`.
const folder = new URL("../../assets/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** The routes of the page with its script and style. They hold no data and need no token. */
export async function pageRoutes(): Promise<FastifyPluginAsync> {
  const assets = await loadPageAssets();
  return async (server) => {
    for (const { path, type, content } of assets) {
      server.get(path, async (_request, reply) => reply.type(type).send(content));
    }
  };
}

/** Reads the files of the page, which are served unchanged. */
async function loadPageAssets(): Promise<PageAsset[]> {
  const files = (await readdir(folder)).filter((file) => types[extname(file)] !== undefined);
  return Promise.all(
    files.map(async (file) => ({
      path: file === "workbench.html" ? "/" : `/assets/${file}`,
      type: types[extname(file)] as string,
      content: await readFile(new URL(file, folder), "utf8"),
    })),
  );
}
