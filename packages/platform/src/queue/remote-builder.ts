import type { Builder, BuildProgress, BuiltTool } from "../publish/builder.ts";
import type { WorkQueue } from "./open-work-queue.ts";
import type { WorkHandler } from "./start-worker.ts";

interface BuildRequest {
  readonly organization: string;
  /** All files by path, in base64. */
  readonly files: Readonly<Record<string, string>>;
}

type RemoteBuild = Omit<BuiltTool, "artifact"> & { readonly artifact: string };

type BuildEvent = { readonly progress: BuildProgress } | { readonly log: string };

/** Creates a builder that builds on workers. */
export function createRemoteBuilder(queue: WorkQueue): Builder {
  return {
    build: async (project, { organization, onProgress, onLog, signal }) => {
      const files = Object.fromEntries(
        [...project].map(([path, bytes]) => [path, Buffer.from(bytes).toString("base64")]),
      );
      const built = (await queue.ask({
        kind: "build",
        request: { organization, files } satisfies BuildRequest,
        onEvent: (event) => {
          const told = event as BuildEvent;
          if ("progress" in told) onProgress(told.progress);
          else onLog(told.log);
        },
        ...(signal !== undefined && { signal }),
      })) as RemoteBuild;
      return { ...built, artifact: Buffer.from(built.artifact, "base64") };
    },
    close: async () => undefined,
  };
}

/** Creates the worker's handler for build requests. */
export function createBuildHandler(builder: Builder): WorkHandler {
  return async ({ organization, files }: BuildRequest, { tell, signal }) => {
    const project = new Map(
      Object.entries(files).map(([path, base64]) => [path, Buffer.from(base64, "base64")]),
    );
    const built = await builder.build(project, {
      organization,
      signal,
      onProgress: (progress) => tell({ progress } satisfies BuildEvent),
      onLog: (log) => tell({ log } satisfies BuildEvent),
    });
    const artifact = Buffer.from(built.artifact).toString("base64");
    return { ...built, artifact } satisfies RemoteBuild;
  };
}
