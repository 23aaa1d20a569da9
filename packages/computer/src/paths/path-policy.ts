import type { Grant } from "@haft/contract";
import { deniedPath, outOfScope, protectedPath, secretFile } from "./path-errors.ts";
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
  /** Whether what is at a path is not read, whatever is granted. */
  isSecret(where: string): boolean;
}

/** Which directories matter on a computer. */
export interface PolicyPlaces {
  readonly roots: readonly string[];
  /** Where sessions keep their journals and rules. */
  readonly stateDirectory: string;
}

/** Whom a policy is for. */
export interface PolicyScope {
  readonly grant: Grant;
  /** Whether a rule of a person's own allows exactly this path to be changed. */
  isNamed(path: string): boolean;
  /** Whether a rule denies what the call would do to a path. */
  isDenied(path: string, mode: "read" | "write"): boolean;
}

/** Makes what makes the policy of each call from its scope. */
export function createPathPolicies(places: PolicyPlaces): (scope: PolicyScope) => PathPolicy {
  const { roots, stateDirectory } = places;
  const nestedRoots = roots.filter((root) => isInside(stateDirectory, root));
  const isState = (path: string): boolean =>
    isInside(stateDirectory, path) && !nestedRoots.some((root) => isInside(root, path));
  const isSidecar = (path: string): boolean =>
    sidecar.test(path.slice(stateDirectory === "/" ? 0 : stateDirectory.length));
  // The journal keeps what files held before, secrets too. A sidecar is named after its call.
  const isSecret = (path: string): boolean =>
    isState(path) ? !isSidecar(path) : isSecretPath(path);

  return ({ grant, isNamed, isDenied }) => {
    // A name that leads elsewhere must be named, too, and what it leads to.
    const isAllowed = (where: string, asked: string): boolean =>
      isNamed(asked) && (isAbove(where, asked) || isNamed(where));
    const mayLook = (where: string): boolean => !kernelPath.test(where) && grant.mayRead(where);
    return {
      mayLook,
      isSecret,
      judge: (access, where, asked) => {
        if (access === "change") {
          if (kernelPath.test(where) || !grant.mayWrite(where)) throw outOfScope(asked, "change");
          if (isState(where) || (isProtectedPath(where) && !isAllowed(where, asked))) {
            throw protectedPath(asked);
          }
          // The call was judged by what it said it would touch; here is what it does touch.
          if (isDenied(where, "write")) throw deniedPath(asked);
          return;
        }
        if (!mayLook(where)) throw outOfScope(asked, "read");
        if (access === "look") return;
        if (isSecret(where)) throw secretFile(asked);
      },
    };
  };
}

// The directories that a path needs come with it.
function isAbove(where: string, asked: string): boolean {
  return where !== asked && isInside(where, asked);
}

// Not files but doors into the kernel. /dev/shm is an ordinary directory that some people work in.
const kernelPath = /^\/(?:proc|sys|dev(?!\/shm\/))(?:\/|$)/u;

const sidecar = /^\/sessions\/[^/]+\/[^/]+\/sidecars\//u;
