import { isUtf8 } from "node:buffer";
import { type ApiReply, defineRoute, type Route } from "../../api/route.ts";
import { Problem } from "../../problem.ts";
import { organizationParams, pathQuery, refQuery, toObjectSchema } from "./browse-schemas.ts";
import type { RepositoryBrowser, RepositoryFile } from "./repository-browser.ts";

interface LocationParameters {
  readonly ref?: string;
  readonly path?: string;
}

interface FileParameters {
  readonly ref?: string;
  readonly path: string;
  readonly raw: boolean;
}

interface DiffParameters {
  readonly from?: string;
  readonly to?: string;
  readonly path?: string;
}

const maxShownBytes = 1024 * 1024;
const maxRawBytes = 20 * 1024 * 1024;
const text = { type: "string" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const countOrNull = { type: ["integer", "null"] } as const;
const entryType = { enum: ["file", "directory", "symlink", "submodule"] };

/** Returns the route that lists a folder. */
export function treeRoute(browser: RepositoryBrowser): Route {
  return defineRoute<unknown, LocationParameters>({
    method: "GET",
    url: "/v1/:organization/tool/repository/tree",
    operationId: "get-repository-tree",
    summary: "Lists a folder of the organization's repository.",
    permission: "Tool:AccessRepo",
    schema: {
      params: organizationParams,
      querystring: { type: "object", properties: { ref: refQuery, path: pathQuery } },
      response: {
        200: toObjectSchema({
          commit: textOrNull,
          path: text,
          entries: {
            type: "array",
            items: toObjectSchema({
              name: text,
              path: text,
              type: entryType,
              mode: text,
              size: countOrNull,
            }),
          },
        }),
      },
    },
    handle: async ({ principal, query, signal }) => {
      const folder = await browser.readFolder(principal.organization, query, signal);
      const entries = folder.entries.map((entry) => ({ ...entry, size: entry.size ?? null }));
      return { status: 200, body: { commit: folder.commit ?? null, path: folder.path, entries } };
    },
  });
}

/** Returns the route that reads a file. */
export function fileRoute(browser: RepositoryBrowser): Route {
  return defineRoute<unknown, FileParameters>({
    method: "GET",
    url: "/v1/:organization/tool/repository/file",
    operationId: "get-repository-file",
    summary:
      "Reads a file of the organization's repository. With raw=true, returns only its bytes.",
    permission: "Tool:AccessRepo",
    schema: {
      params: organizationParams,
      querystring: {
        type: "object",
        properties: {
          ref: refQuery,
          path: { ...pathQuery, minLength: 1 },
          raw: { type: "boolean", default: false },
        },
        required: ["path"],
      },
      response: {
        200: toObjectSchema({
          commit: text,
          path: text,
          type: { enum: ["file", "symlink"] },
          mode: text,
          size: { type: "integer" },
          encoding: { enum: ["utf-8", "base64"] },
          content: text,
        }),
      },
    },
    handle: async ({ principal, query, signal }) => {
      const maxBytes = query.raw ? maxRawBytes : maxShownBytes;
      const wanted = { ref: query.ref, path: query.path, maxBytes };
      const file = await browser.readFile(principal.organization, wanted, signal);
      return query.raw ? toRawReply(file) : toFileReply(file);
    },
  });
}

/** Returns the route that compares two commits. */
export function diffRoute(browser: RepositoryBrowser): Route {
  return defineRoute<unknown, DiffParameters>({
    method: "GET",
    url: "/v1/:organization/tool/repository/diff",
    operationId: "get-repository-diff",
    summary: "Compares two commits. Default for from: the parent of to.",
    permission: "Tool:AccessRepo",
    schema: {
      params: organizationParams,
      querystring: {
        type: "object",
        properties: { from: refQuery, to: refQuery, path: pathQuery },
      },
      response: {
        200: toObjectSchema({
          from: textOrNull,
          to: textOrNull,
          files: {
            type: "array",
            items: toObjectSchema({
              path: text,
              previous_path: textOrNull,
              status: {
                enum: ["added", "deleted", "modified", "renamed", "copied", "type-changed"],
              },
              additions: countOrNull,
              deletions: countOrNull,
              patch: textOrNull,
              truncated: { type: "boolean" },
            }),
          },
          truncated: { type: "boolean" },
        }),
      },
    },
    handle: async ({ principal, query, signal }) => {
      const { from, to, files, truncated } = await browser.compare(
        principal.organization,
        query,
        signal,
      );
      const body = {
        from: from ?? null,
        to: to ?? null,
        files: files.map(({ previousPath, additions, deletions, patch, ...file }) => ({
          ...file,
          previous_path: previousPath ?? null,
          additions: additions ?? null,
          deletions: deletions ?? null,
          patch: patch ?? null,
        })),
        truncated,
      };
      return { status: 200, body };
    },
  });
}

function toFileReply({ content, ...file }: RepositoryFile): ApiReply {
  const encoding = isUtf8(content) ? "utf-8" : "base64";
  const body = {
    ...file,
    size: content.length,
    encoding,
    content: content.toString(encoding),
  };
  return { status: 200, body };
}

function toRawReply(file: RepositoryFile): ApiReply {
  if (file.type === "symlink") {
    throw new Problem(
      400,
      "The path is a symbolic link, which has no raw content. Repeat the request without raw to see its target.",
    );
  }
  return {
    status: 200,
    body: file.content,
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
    },
  };
}
