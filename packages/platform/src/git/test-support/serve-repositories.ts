import { startGitServer } from "./git-server.ts";

// A process of its own, to be killed in the middle of something.
const [, , directory = ""] = process.argv;
const server = await startGitServer(directory);
process.stdout.write(`${server.remote}\n`);
