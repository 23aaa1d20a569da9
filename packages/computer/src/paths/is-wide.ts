import { isInside } from "@haft/contract/internal";

/** The directories that hold more than one project. */
export interface WideDirectories {
  readonly home: string | undefined;
  readonly stateDirectory: string;
}

/** Whether a directory contains a home, Haft's state or a directory for everyone's temporary files. */
export function isWide(directory: string, { home, stateDirectory }: WideDirectories): boolean {
  const held = [...(home === undefined ? [] : [home]), stateDirectory, "/tmp", "/var/tmp"];
  return held.some((path) => isInside(directory, path));
}
