import type { ReadWord } from "@haft/core";

/** Whether a program is named by a path that does not lead to where the system keeps its own. */
export function isElsewhere(program: ReadWord): boolean {
  return program?.includes("/") === true && !systemProgram.test(program);
}

const systemProgram = /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/u;
