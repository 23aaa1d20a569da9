import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a project is made of. */
export interface ProjectSize {
  readonly files: number;
  readonly bytesPerFile: number;
}

/**
 * Makes a repository such as people work in: packages with nested directories of about nine files
 * each, two thirds of them TypeScript, with dependencies and output that are ignored. The same each
 * time. Exactly so many files are not ignored.
 */
export function plantProject(directory: string, { files, bytesPerFile }: ProjectSize): void {
  mkdirSync(join(directory, ".git"), { recursive: true });
  writeFileSync(join(directory, ".gitignore"), ignored);
  for (const name of ["node_modules/dependency", "dist", "packages/package-0/build"]) {
    mkdirSync(join(directory, name), { recursive: true });
    for (let index = 0; index < 20; index++) {
      writeFileSync(join(directory, name, `made-${index}.js`), "made();\n");
    }
  }
  for (let index = 0; index < files; index++) {
    const place = join(directory, placeOf(Math.floor(index / 9)));
    if (index % 9 === 0) mkdirSync(place, { recursive: true });
    const name = `${words[index % words.length]}-${index}.${endings[index % endings.length]}`;
    writeFileSync(join(place, name), makeText(index, bytesPerFile));
  }
}

const ignored = `# Dependencies and output
node_modules/
dist
/packages/*/build/
coverage/
*.log
*.tsbuildinfo
.DS_Store
.cache/
!important.log
npm-debug.log*
`;

const words = ["create", "session", "read", "index", "format", "report", "parse", "store", "view"];
const endings = ["ts", "ts", "ts", "ts", "ts", "ts", "json", "html", "css"];
const sections = ["src", "src/core", "src/core/util", "src/view", "test", "test/unit", "docs"];

function placeOf(directory: number): string {
  const section = sections[directory % sections.length];
  const level = Math.floor(directory / sections.length);
  return `packages/package-${level % 40}/${section}/part-${Math.floor(level / 40)}`;
}

function makeText(seed: number, bytes: number): string {
  const line = (at: number): string => {
    const word = words[(seed + at) % words.length];
    return `export const ${word}${at} = (input: string): number => input.length * ${seed + at};\n`;
  };
  let text = "";
  for (let at = 0; text.length < bytes; at++) text += line(at);
  return text.slice(0, bytes);
}
