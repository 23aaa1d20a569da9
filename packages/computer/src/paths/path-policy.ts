import type { Grant } from "@haft/contract";
import { outOfScope, protectedPath, secretFile } from "./path-errors.ts";
import { isInside } from "./path-parts.ts";
import { isProtectedPath } from "./protected-path.ts";
import { isSecretPath } from "./secret-path.ts";

/** What is about to happen to a path: its existence seen, its bytes read, or either changed. */
export type Access = "look" | "read" | "change";

/** Decides about paths. Every rule on names lives behind it, for all surfaces. */
export interface PathPolicy {
  /** Throws the refusal, which names the path as it was asked for, or returns. */
  judge(access: Access, where: string, asked: string): void;
  /** Whether it may be known what is at a path. */
  mayLook(where: string): boolean;
}

/** Which directories matter on a computer. */
export interface PolicyPlaces {
  readonly roots: readonly string[];
  /** Where sessions keep their journals and rules. */
  readonly stateDirectory: string;
}

/** Makes what makes the policy of each call from its grant. */
export function createPathPolicies(places: PolicyPlaces): (grant: Grant) => PathPolicy {
  const { roots, stateDirectory } = places;
  const nestedRoots = roots.filter((root) => isInside(stateDirectory, root));
  const isState = (path: string): boolean =>
    isInside(stateDirectory, path) && !nestedRoots.some((root) => isInside(root, path));
  const isSidecar = (path: string): boolean =>
    sidecar.test(path.slice(stateDirectory === "/" ? 0 : stateDirectory.length));

  return (grant) => {
    const mayLook = (where: string): boolean => !kernelPath.test(where) && grant.mayRead(where);
    return {
      mayLook,
      judge: (access, where, asked) => {
        if (access === "change") {
          if (kernelPath.test(where) || !grant.mayWrite(where)) throw outOfScope(asked, "change");
          if (isProtectedPath(where) || isState(where)) throw protectedPath(asked);
          return;
        }
        if (!mayLook(where)) throw outOfScope(asked, "read");
        if (access === "look") return;
        // The journal keeps what files held before, secrets too. A sidecar is named after its call.
        if (isState(where) ? !isSidecar(where) : isSecretPath(where)) throw secretFile(asked);
      },
    };
  };
}

// Not files but doors into the kernel. /dev/shm is an ordinary directory that some people work in.
const kernelPath = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/u;

const sidecar = /^\/sessions\/[^/]+\/[^/]+\/sidecars\//u;
