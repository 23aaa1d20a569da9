import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** A Python installation of this machine. Symbolic links in paths are resolved. */
export interface PythonProgram {
  /** The interpreter itself: not a launcher script or a virtual environment's link. */
  readonly executable: string;
  /** The directory of the pip package, if it is installed. */
  readonly pip: string | null;
  /** All paths it needs to run: the program, the standard library and shared libraries. */
  readonly reads: readonly string[];
  /** Paths in `reads` with packages of this machine, which tools must not see. */
  readonly hides: readonly string[];
}

const run = promisify(execFile);

/**
 * Describes the `python3` on the search path; `undefined` if there is none of version 3.9 or later.
 */
export async function findPython(
  environment: NodeJS.ProcessEnv = process.env,
): Promise<PythonProgram | undefined> {
  try {
    const { stdout } = await run("python3", ["-I", "-c", script], { cwd: "/", env: environment });
    return JSON.parse(stdout) as PythonProgram;
  } catch {
    return undefined;
  }
}

// Shared libraries are found once they are loaded, so common modules that need some are imported.
const script = `
import importlib, importlib.util, json, os, sys, sysconfig
assert sys.version_info >= (3, 9)
for name in ["bz2", "ctypes", "decimal", "hashlib", "lzma", "sqlite3", "ssl", "uuid", "zlib"]:
    try:
        importlib.import_module(name)
    except ImportError:
        pass
executable = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
library = [sysconfig.get_path(name) for name in ["stdlib", "platstdlib"]]
with open("/proc/self/maps") as maps:
    words = [line.split(None, 5) for line in maps]
loaded = [word[5].strip() for word in words if len(word) == 6 and ".so" in word[5]]
hides = [os.path.realpath(os.path.join(path, "site-packages")) for path in library]
reads = {os.path.realpath(path) for path in [executable, *library, *loaded]}
pip = importlib.util.find_spec("pip")
places = pip and pip.submodule_search_locations
print(json.dumps({
    "executable": executable,
    "pip": os.path.realpath(places[0]) if places else None,
    "reads": sorted(path for path in reads if os.path.exists(path)),
    "hides": sorted({path for path in hides if os.path.isdir(path)}),
}))
`;
