// A guarded server in a process of its own: its argument says how, as JSON. It sends its address, and
// what happened when it is asked for that.
import { startGuardedServer } from "./guarded-server.ts";

const { url, counts } = await startGuardedServer(JSON.parse(process.argv[2] ?? "{}"));
process.on("message", () => process.send?.(counts));
process.on("disconnect", () => process.exit(0));
process.send?.(url);
