import type { ProgramTable } from "./program-table.ts";

// npm options that name a program, a settings file or a directory to write to.
const npmRisks =
  "runs --script-shell: --shell: --node-options: --git: --editor: --viewer: --browser: --userconfig: --globalconfig: --init-module: --onload-script: --cafile: | writes -C:dir --prefix:dir --cache: --logs-dir: --pack-destination:";
const project = "runs writes net any";

/** Programs that fetch packages, build projects and run what is in them. */
export const packageManagers: ProgramTable = {
  // Every command writes to its own cache directory.
  "npm|pnpm": `reads writes any | -w: --workspace: --filter: -F: | ${npmRisks}`,
  // Without arguments it installs.
  yarn: `${project} | ${npmRisks}`,
  "npm run|run-script|rum|urn|test|t|tst|start|stop|restart|install|i|in|ins|inst|add|ci|clean-install|install-test|it|update|up|upgrade|uninstall|remove|rm|r|un|unlink|rebuild|rb|pack|publish|link|ln|dedupe|ddp|prune|version|audit|login|logout|adduser|token|org|team|access|owner|dist-tag|deprecate|unpublish|cache|set|help|docs|bugs|repo|home|star|unstar|shrinkwrap|completion|diff|fund|hook|profile|sbom|stage|trust|undeprecate": `${project} | -w: --workspace: | ${npmRisks}`,
  "npm exec|x|explore|edit|init|create": `${project} inner* spelled | -w: --workspace: | runs -c: --call: --package: -p: --script-shell:`,
  "npm config|c|get|pkg": "runs writes spelled any",
  "npm config get|list|ls": "reads writes any",
  "npm pkg get": "reads writes any",
  "npm ls|list|la|ll|explain|why|root|prefix|bin|query|doctor|find-dupes": `reads writes any | ${npmRisks}`,
  "npm view|v|info|show|outdated|search|s|se|find|ping|whoami": `reads writes net any | ${npmRisks}`,
  "pnpm run|test|t|tst|start|install|i|add|update|up|upgrade|remove|rm|un|uninstall|link|unlink|import|rebuild|rb|prune|publish|pack|deploy|patch|patch-commit|fetch|init|create|recursive|m|multi|setup|store|server|env|audit|outdated|approve-builds|dedupe|install-test|it|self-update|config|c": `${project} | -w: --filter: -F: | ${npmRisks}`,
  "pnpm exec|dlx": `${project} inner spelled | --filter: -F: | runs -c --shell-mode --package:`,
  "pnpm ls|list|la|ll|why|root|bin|licenses": `reads writes any | ${npmRisks}`,
  "yarn run|test|start|install|add|remove|upgrade|up|link|unlink|publish|pack|init|create|build|dev|lint|workspace|workspaces|config|set|plugin|rebuild|dedupe|import|version|cache|global|node|patch|stage|unplug|upgrade-interactive|audit|outdated|npm": `${project} | ${npmRisks}`,
  "yarn exec|dlx": `${project} inner spelled | runs -p: --package: -c`,
  "yarn list|why|info|licenses|bin|versions": "reads writes any",
  "npx|bunx|pnpx|pipx|uvx": `${project} inner | -qy --yes --no --quiet --no-install | runs -c: --call: -p: --package: --from: --with: --script-shell:`,
  bun: "runs writes script any | runs -e: --eval: -p: --print: -r: --preload: -i",
  "bun run|test|install|i|add|a|remove|rm|update|link|unlink|build|init|create|c|upgrade|pm|publish|patch|outdated|audit|repl|exec": `${project} | runs -r: --preload: --shell:`,
  "bun x": `${project} inner spelled`,
  "pip|pip3": "reads any | runs --python: --proxy: --cert: --client-cert:",
  "pip install|uninstall|download|wheel|cache|config|index|hash|search|debug": `${project} | runs -r: --requirement: --index-url: -i: --extra-index-url: -e: --editable: --config-settings: --python: --prefix: --target: -t: --root:`,
  "pip3 install|uninstall|download|wheel|cache|config|index|hash|search|debug": `${project} | runs -r: --requirement: --index-url: -i: --extra-index-url: -e: --editable: --config-settings: --python: --prefix: --target: -t: --root:`,
  "pip list|show|freeze|check|help": "reads any | writes --log: --report:",
  "pip3 list|show|freeze|check|help": "reads any | writes --log: --report:",
  uv: "reads any | --directory:dir --project:dir",
  "uv run|tool": `${project} inner* spelled`,
  "uv pip|sync|lock|add|remove|venv|build|publish|init|python|cache|self|export|tree|version":
    project,
  "poetry|pipenv|pdm|hatch|rye|conda|mamba|micromamba|pixi": `${project} | -C:dir --directory:dir --project:dir`,
  "poetry run": `${project} inner spelled`,
  "pipenv run": `${project} inner spelled`,
  "pdm run": `${project} inner spelled`,
  "hatch run": `${project} inner spelled`,
  "conda run": `${project} inner spelled`,
  "poetry install|add|remove|update|lock|build|publish|init|new|shell|config|env|self|cache|export|version|check|show|about|search|source|sync":
    project,
  "pipenv install|uninstall|lock|sync|update|shell|graph|check|clean|verify": project,
  "pdm install|add|remove|update|lock|sync|build|publish|init|list|show|info|config|use|venv":
    project,
  "hatch build|test|fmt|env|version|new|publish|shell|clean|dep|project|status": project,
  "conda install|create|remove|update|list|info|env|activate|deactivate|search|clean|config|init":
    project,
  "gem|bundle|bundler|rake|rails|rspec|composer|cpan|cpanm|luarocks|opam|cabal|stack|nuget|mix|rebar3|lein|sbt|pod|carthage|fastlane|nix|nix-shell|nix-build|devbox|asdf|mise|direnv|volta|nvm|fnm|rbenv|pyenv|sdk|rustup|corepack":
    project,
  "bundle exec": `${project} inner spelled`,
  "bundle install|update|add|remove|lock|config|check|list|show|info|outdated|package|init|clean|open|binstubs|pristine":
    project,
  "mix format": "writes any | runs --dot-formatter: --no-compile --plugins:",
  "mix compile|test|deps.get|deps.update|run|phx.server|ecto.migrate|credo|dialyzer|release|new|help|hex.info":
    project,
  "mise exec|x": `${project} inner spelled`,
  "direnv exec": `${project} inner spelled`,
};
