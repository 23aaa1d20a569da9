import type { ProgramTable } from "./program-table.ts";

const cloud = "runs net writes any";

/** Programs that reach other machines, containers and clouds. */
export const networkTools: ProgramTable = {
  curl: "net curl | -0123467aBfgGiIjklLNpqRsSv -# -A: -b: -d: -e: -H: -m: -r: -u: -w: -X: -y: -Y: -z: --basic --compressed --connect-timeout: --cookie: --data-ascii: --data-binary: --data-raw: --data-urlencode: --data: --digest --fail --fail-early --fail-with-body --get --globoff --head --header: --http1.0 --http1.1 --http2 --include --insecure --ipv4 --ipv6 --json: --limit-rate: --location --max-filesize: --max-redirs: --max-time: --no-buffer --no-keepalive --no-progress-meter --parallel --progress-bar --range: --referer: --request: --retry-all-errors --retry-connrefused --retry-delay: --retry-max-time: --retry: --show-error --silent --tlsv1.2 --tlsv1.3 --url-query: --url: --user-agent: --user: --verbose --version --help? | writes -o: --output: -O --remote-name --remote-name-all -J --remote-header-name --output-dir: --create-dirs -c: --cookie-jar: -D: --dump-header: --stderr: --trace: --trace-ascii: --hsts: --alt-svc: --etag-save: --libcurl: | runs -K: --config: --engine: -x: --proxy: --preproxy: --socks5: --proto: --unix-socket: --abstract-unix-socket: -T: --upload-file: -F: --form: --form-string: -E: --cert: --key: --netrc -n --netrc-file: -Q: --quote: | reads file:",
  wget: "net writes | -46cdEFHKkLmNnprqSvx -A: -D: -I: -l: -Q: -R: -t: -T: -U: -w: -X: --accept: --adjust-extension --continue --convert-links --debug --header: --level: --max-redirect: --mirror --no-check-certificate --no-clobber --no-directories --no-parent --no-verbose --page-requisites --quiet --recursive --reject: --retry-connrefused --server-response --show-progress --spider --timeout: --timestamping --tries: --user-agent: --version --wait: | writes -O: --output-document: -o: --output-file: -a: --append-output: -P: --directory-prefix: --save-cookies: --warc-file: | runs -e: --execute: --use-askpass: -i: --input-file: --config: --post-file: --body-file: --load-cookies: -B:",
  "http|https|httpie|xh|xhs":
    "net any | writes -o: --output: -d --download --session: --session-read-only:",
  "ping|ping6|traceroute|tracepath|mtr|dig|host|nslookup|whois|netstat": "reads net any",
  "telnet|ftp|sftp|tftp|lftp": "runs net input",
  "nc|ncat|netcat|socat|rsh|rlogin|mosh|autossh|sshpass|ssh-copy-id|openvpn|wg": "runs net",
  ss: "reads net any | writes -D: --diag: | deletes -K --kill",
  scp: "net writes out$ | -346BCpqrTv -c: -i: -l: -P: | runs -D: -F: -J: -o: -S: -X:",
  rsync:
    "net writes out$ | -aAbcCdDEgHhiIklLmnNoOpPqrRsStuUvWxXyz01 --acls --archive --backup --bwlimit: --checksum --compress --copy-links --cvs-exclude --delete --delete-after --delete-before --delete-during --delete-excluded --dry-run --exclude-from: --exclude: --existing --filter: --force --group --hard-links --human-readable --ignore-existing --ignore-times --include-from: --include: --info: --inplace --itemize-changes --links --max-size: --min-size: --no-group --no-owner --no-perms --numeric-ids --one-file-system --owner --partial --perms --progress --prune-empty-dirs --quiet --recursive --relative --remove-source-files --size-only --sparse --stats --times --update --verbose --whole-file --xattrs | runs -e: --rsh: --rsync-path: -M: --remote-option: --daemon --config: | writes --log-file: --write-batch: --only-write-batch: --partial-dir: --temp-dir: -T: --backup-dir: --compare-dest: --copy-dest: --link-dest: -f:",
  "ssh-keygen|ssh-add|ssh-agent|ssh-keyscan|gpg|gpg2|gpgv|age|openssl|pass|vault|op|bw|certbot|mkcert|keychain|security":
    "runs writes net",
  "docker|podman|nerdctl":
    "runs net any | -c: --context: --log-level: -l: | runs -H: --host: --config:",
  "docker ps|images|logs|inspect|info|version|top|stats|port|diff|history|events|search":
    "reads net any",
  "podman ps|images|logs|inspect|info|version|top|stats|port|diff|history|events|search":
    "reads net any",
  "docker exec|run|create": `${cloud} spelled inner*`,
  "podman exec|run|create": `${cloud} spelled inner*`,
  "docker build|buildx|pull|push|start|stop|restart|rm|rmi|kill|cp|commit|tag|save|load|import|export|login|logout|attach|wait|rename|update|pause|unpause|container|image|network|volume|system|service|stack|swarm|node|secret|config|context|plugin|manifest|trust|builder|scout|init|debug|model|mcp": `${cloud} spelled`,
  "podman build|pull|push|start|stop|restart|rm|rmi|kill|cp|commit|tag|save|load|import|export|login|logout|attach|wait|rename|update|pause|unpause|container|image|network|volume|system|pod|play|kube|generate|machine|unshare|mount|secret": `${cloud} spelled`,
  "docker compose": `${cloud} | -f: -p: --file: --profile: --project-name: --project-directory:dir --env-file:`,
  "docker compose ps|logs|config|images|ls|top|version|port|events": "reads net any",
  "docker compose exec|run": `${cloud} spelled inner*`,
  "docker compose up|down|build|pull|push|start|stop|restart|rm|kill|create|cp|watch|pause|unpause|scale|wait":
    cloud,
  "docker-compose|podman-compose": cloud,
  kubectl:
    "reads net any | -n: --namespace: --context: --cluster: --user: -s: --server: -v: --request-timeout: | runs --kubeconfig: --as: --as-group: --token: --password: --client-key:",
  "kubectl get|describe|logs|top|explain|version|cluster-info|api-resources|api-versions|events|auth|wait":
    "reads net any",
  "kubectl exec|debug|run|attach": `${cloud} spelled inner*`,
  "kubectl apply|create|delete|edit|patch|replace|scale|rollout|set|label|annotate|expose|cp|port-forward|proxy|drain|cordon|uncordon|taint|config|plugin|kustomize|diff|autoscale|certificate|completion": `${cloud} spelled`,
  "helm|k9s|minikube|kind|k3d|eksctl|istioctl|argocd|flux|oc|kustomize|stern": cloud,
  "aws|gcloud|gsutil|bq|az|doctl|heroku|fly|flyctl|railway|supabase|firebase|vercel-cli|stripe|pulumi|packer|vagrant|ansible|ansible-playbook|ansible-galaxy|salt|chef|puppet|consul|nomad|boundary|s3cmd|rclone|mc|cloudflared|ngrok":
    cloud,
  gh: "reads net any",
  "gh api": "net writes runs any spelled",
  "gh auth|alias|extension|ext|secret|ssh-key|gpg-key|config|codespace|cs|variable|attestation|copilot|completion": `${cloud} spelled`,
  "gh pr|issue|repo|run|release|workflow|gist|label|project|cache|ruleset|org|browse|search|status|preview":
    "net writes any | -R: --repo: | runs -w --web -e --editor",
  "gh pr list|view|status|diff|checks": "reads net any | -R: --repo: | runs -w --web",
  "gh issue list|view|status": "reads net any | -R: --repo: | runs -w --web",
  "gh run list|view|watch": "reads net any | -R: --repo: | runs -w --web",
  "gh repo list|view": "reads net any | -R: --repo: | runs -w --web",
  "gh release list|view": "reads net any | -R: --repo: | runs -w --web",
  "glab|hub|tea|jira|linear": cloud,
  hg: "runs writes net any | -R:dir --repository:dir --cwd:dir | runs --config: --debugger",
  svn: "runs writes net any | runs --editor-cmd: --diff-cmd: --diff3-cmd: --config-dir: --config-option:",
};
