import type { Grant } from "@haft/contract";
import { isInside } from "@haft/contract/internal";
import { deniedPath, outOfScope, protectedPath, secretFile } from "./path-errors.ts";
import { isProtectedPath } from "./protected-path.ts";
import { isSecretPath } from "./secret-path.ts";

/**
 * The kind of access: learn whether a path exists, list a directory, read a file, change a path, or put
 * back what the journal took from it, which may be a protected file.
 */
export type Access = "look" | "list" | "read" | "change" | "restore";

/** Decides about paths. Every rule on names is behind it, for all tools. */
export interface PathPolicy {
  /** Throws the refusal, which names the path as requested, or returns. */
  judge(access: Access, where: string, asked: string): void;
  /** Whether the existence and kind of a path may be known. */
  mayLook(where: string): boolean;
  /** Whether a path is never read, whatever is granted. */
  isSecret(where: string): boolean;
}

/** The directories of a computer that the policy depends on. */
export interface PolicyDirectories {
  readonly roots: readonly string[];
  /** Where sessions store their journals and rules. */
  readonly stateDirectory: string;
}

/** The grant and rules of one call. */
export interface PolicyScope {
  readonly grant: Grant;
  /** Whether one of the person's rules allows changing exactly this path. */
  isNamed(path: string): boolean;
  /** Whether a rule denies this access to a path. */
  isDenied(path: string, mode: "read" | "write"): boolean;
}

/** Returns a function that creates the policy of a call from its scope. */
export function createPathPolicies(places: PolicyDirectories): (scope: PolicyScope) => PathPolicy {
  const { roots, stateDirectory } = places;
  const nestedRoots = roots.filter((root) => isInside(stateDirectory, root));
  const isState = (path: string): boolean =>
    isInside(stateDirectory, path) && !nestedRoots.some((root) => isInside(root, path));
  const isSidecar = (path: string): boolean =>
    sidecar.test(path.slice(stateDirectory === "/" ? 0 : stateDirectory.length));
  // The journal keeps old contents, including secrets. A sidecar is named after its call.
  const isSecret = (path: string): boolean =>
    isState(path) ? !isSidecar(path) : isSecretPath(path);

  return ({ grant, isNamed, isDenied }) => {
    // A link must be allowed under its own name and under its target's.
    const isAllowed = (where: string, asked: string): boolean =>
      isNamed(asked) && (isAbove(where, asked) || isNamed(where));
    const mayLook = (where: string): boolean => !kernelPath.test(where) && grant.mayRead(where);
    return {
      mayLook,
      isSecret,
      judge: (access, where, asked) => {
        if (access === "change" || access === "restore") {
          if (kernelPath.test(where) || !grant.mayWrite(where)) throw outOfScope(asked, "change");
          const isClosed = access === "change" && isProtectedPath(where);
          if (isState(where) || (isClosed && !isAllowed(where, asked))) {
            throw protectedPath(asked);
          }
          // The call was checked by what it declared; here is what it actually touches.
          if (isDenied(where, "write")) throw deniedPath(asked, "change");
          return;
        }
        if (!mayLook(where)) throw outOfScope(asked, "read");
        if (access === "look") return;
        if (access === "read" && isSecret(where)) throw secretFile(asked);
        if (isDenied(where, "read")) throw deniedPath(asked, "read");
      },
    };
  };
}

// The parent directories of a path come with it.
function isAbove(where: string, asked: string): boolean {
  return where !== asked && isInside(where, asked);
}

// Not files but interfaces to the kernel. /dev/shm is an ordinary directory that some people work in.
const kernelPath = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/u;

const sidecar = /^\/sessions\/[^/]+\/[^/]+\/sidecars\//u;
