// The script of the process that keeps the jobs of a session.
import { serveKeeper } from "./serve-keeper.ts";

serveKeeper(process.argv[2] ?? "");
