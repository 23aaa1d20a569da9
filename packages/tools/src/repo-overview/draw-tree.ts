/** Limits of a tree. */
export interface TreeBounds {
  readonly depth: number;
  readonly bytes: number;
}

interface Directory {
  readonly directories: Map<string, Directory>;
  readonly files: string[];
  /** The number of files at any depth. */
  count: number;
}

const filesShown = [12, 6, 3, 0];

/**
 * Draws relative paths as a tree with the number of files per directory. Entries beyond the limits
 * are counted instead: first files, then deeper levels.
 */
export function drawTree(paths: readonly string[], bounds: TreeBounds): string {
  const root = buildTree(paths);
  for (let depth = bounds.depth; depth > 0; depth--) {
    for (const maxFiles of filesShown) {
      const text = draw(root, { depth, maxFiles, indent: "" }).join("\n");
      if (text.length <= bounds.bytes) return text;
    }
  }
  const lines = draw(root, { depth: 1, maxFiles: 0, indent: "" });
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > bounds.bytes) break;
    kept.push(line);
  }
  return [...kept, `… ${lines.length - kept.length} more`].join("\n");
}

function buildTree(paths: readonly string[]): Directory {
  const root = makeDirectory();
  for (const path of paths) {
    const parts = path.split("/");
    const name = parts.pop() ?? "";
    let directory = root;
    directory.count++;
    for (const part of parts) {
      const next = directory.directories.get(part) ?? makeDirectory();
      directory.directories.set(part, next);
      directory = next;
      directory.count++;
    }
    directory.files.push(name);
  }
  return root;
}

function makeDirectory(): Directory {
  return { directories: new Map(), files: [], count: 0 };
}

function draw(
  directory: Directory,
  { depth, maxFiles, indent }: { depth: number; maxFiles: number; indent: string },
): string[] {
  const lines: string[] = [];
  for (const [name, inner] of directory.directories) {
    lines.push(`${indent}${show(name)}/ (${countFiles(inner.count)})`);
    if (depth > 1)
      lines.push(...draw(inner, { depth: depth - 1, maxFiles, indent: `${indent}  ` }));
  }
  const shown = directory.files.slice(0, maxFiles);
  lines.push(...shown.map((name) => `${indent}${show(name)}`));
  const left = directory.files.length - shown.length;
  // The directory's own line already has the total number of files.
  if (left > 0 && (shown.length > 0 || directory.directories.size > 0)) {
    lines.push(`${indent}… ${countFiles(left)}${shown.length > 0 ? " more" : ""}`);
  }
  return lines;
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}

// A name with a line break would look like two.
function show(name: string): string {
  return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}
