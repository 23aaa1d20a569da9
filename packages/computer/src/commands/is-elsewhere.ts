import type { ReadWord } from "@haft/core";

/** Whether a program is named by a path outside the system's program directories. */
export function isElsewhere(program: ReadWord): boolean {
  return program?.includes("/") === true && !systemProgram.test(program);
}

const systemProgram = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/u;
