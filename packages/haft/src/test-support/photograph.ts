import { execFileSync } from "node:child_process";

/**
 * Every path below a directory with its type, permissions, content, target, extended attributes and
 * the other names of the same file. Python, because Node reads no attributes.
 */
export function photograph(directory: string): Record<string, string> {
  const text = execFileSync("python3", ["-c", script, directory], {
    encoding: "utf8",
    maxBuffer: 256 * 1024 * 1024,
  });
  return JSON.parse(text) as Record<string, string>;
}

const script = `
import hashlib, json, os, stat, sys
root, found, names = sys.argv[1], {}, {}
for at, directories, files in os.walk(root):
  for name in directories + files:
    path = os.path.join(at, name)
    here = os.path.relpath(path, root)
    stats = os.lstat(path)
    told = [stat.filemode(stats.st_mode)[0]]
    if stat.S_ISLNK(stats.st_mode):
      told.append(os.readlink(path))
    else:
      told.append(oct(stats.st_mode & 0o7777))
      try:
        told += sorted(each + "=" + os.getxattr(path, each).hex() for each in os.listxattr(path) if each.startswith("user."))
      except OSError:
        pass
    if stat.S_ISREG(stats.st_mode):
      told.append(hashlib.sha256(open(path, "rb").read()).hexdigest())
      if stats.st_nlink > 1:
        names.setdefault(stats.st_ino, []).append(here)
    found[here] = " ".join(told)
for linked in names.values():
  for here in linked if len(linked) > 1 else []:
    found[here] += " = " + ",".join(sorted(linked))
print(json.dumps(found))
`;
