import type { CallCase } from "./call-case.ts";

/** An edit whose old text was written from memory. */
interface RememberedEdit {
  readonly path: string;
  readonly text: string;
  readonly old: string;
  readonly now: string;
  /** A part of the file that occurs once, and what it should become. */
  readonly meant: readonly [from: string, to: string];
}

const invoice = [
  "import { formatMoney } from './money';",
  "",
  "// Sums up all lines of an invoice, taxes included.",
  "export function sumInvoice(invoice: Invoice): number {",
  "  let total = 0;",
  "",
  "  for (const line of invoice.lines) {",
  "    const net = line.price * line.count;",
  "    total += net * (1 + line.taxRate);",
  "  }",
  "",
  "  return Math.round(total * 100) / 100;",
  "}",
  "",
  "export function printInvoice(invoice: Invoice): string {",
  "  const total = sumInvoice(invoice);",
  '  return "Total: " + formatMoney(total);',
  "}",
  "",
].join("\n");

const worker = [
  "class Worker:",
  '    """Takes jobs from a queue and runs them."""',
  "",
  "    def __init__(self, queue, retries=3):",
  "        self.queue = queue",
  "        self.retries = retries",
  "        self.failed = []",
  "",
  "    def run(self):",
  "        # Stop when the queue is empty.",
  "        while not self.queue.empty():",
  "            job = self.queue.get()",
  "            try:",
  "                job.start(timeout=30)",
  "            except JobError as error:",
  '                logger.warning("job %s failed: %s", job.id, error)',
  "                self.failed.append(job)",
  "        return len(self.failed)",
  "",
].join("\n");

const handler = [
  "func (s *Server) handleLogin(w http.ResponseWriter, r *http.Request) {",
  "\tvar form LoginForm",
  "\tif err := json.NewDecoder(r.Body).Decode(&form); err != nil {",
  '\t\thttp.Error(w, "bad request", http.StatusBadRequest)',
  "\t\treturn",
  "\t}",
  "",
  "\tuser, err := s.users.FindByEmail(r.Context(), form.Email)",
  "\tif err != nil {",
  '\t\thttp.Error(w, "unauthorized", http.StatusUnauthorized)',
  "\t\treturn",
  "\t}",
  "",
  "\tsession := s.sessions.Create(user.ID, 24*time.Hour)",
  "\thttp.SetCookie(w, session.Cookie())",
  "}",
  "",
].join("\n");

const workflow = [
  "name: ci",
  "on: [push, pull_request]",
  "jobs:",
  "  test:",
  "    runs-on: ubuntu-22.04",
  "    steps:",
  "      - uses: actions/checkout@v4",
  "      - uses: actions/setup-node@v4",
  "        with:",
  "          node-version: 20",
  "          cache: npm",
  "      - run: npm ci",
  "      - run: npm test",
  "",
].join("\n");

const panel = [
  "export function Panel({ title, children }) {",
  "  const [isOpen, setOpen] = useState(true);",
  "",
  "  return (",
  '    <section className="panel">',
  "      <header onClick={() => setOpen(!isOpen)}>",
  "        <h2>{title}</h2>",
  "      </header>",
  '      {isOpen && <div className="body">{children}</div>}',
  "    </section>",
  "  );",
  "}",
  "",
].join("\n");

const remembered: readonly RememberedEdit[] = [
  // A blank line between statements is forgotten.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: "  let total = 0;\n  for (const line of invoice.lines) {\n    const net = line.price * line.count;",
    now: "  let total = 0;\n  for (const line of invoice.lines) {\n    const net = line.price * line.quantity;",
    meant: ["line.price * line.count;", "line.price * line.quantity;"],
  },
  // A blank line that is not there.
  {
    path: "jobs/worker.py",
    text: worker,
    old: "            job = self.queue.get()\n\n            try:\n                job.start(timeout=30)",
    now: "            job = self.queue.get()\n\n            try:\n                job.start(timeout=60)",
    meant: ["timeout=30", "timeout=60"],
  },
  // The comment above is told in other words.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: "// Sums up all the lines of an invoice including taxes.\nexport function sumInvoice(invoice: Invoice): number {\n  let total = 0;",
    now: "// Sums up all the lines of an invoice including taxes.\nexport function sumInvoice(invoice: Readonly<Invoice>): number {\n  let total = 0;",
    meant: [
      "sumInvoice(invoice: Invoice): number",
      "sumInvoice(invoice: Readonly<Invoice>): number",
    ],
  },
  // The comment is left out.
  {
    path: "jobs/worker.py",
    text: worker,
    old: "    def run(self):\n        while not self.queue.empty():\n            job = self.queue.get()",
    now: "    def run(self):\n        while not self.queue.empty():\n            job = self.queue.get(block=False)",
    meant: ["self.queue.get()", "self.queue.get(block=False)"],
  },
  // Double quotes for single ones, in a line that stays.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: 'import { formatMoney } from "./money";\n\n// Sums up all lines of an invoice, taxes included.\nexport function sumInvoice(',
    now: 'import { formatMoney } from "./money";\n\n// Sums up all lines of an invoice, taxes included.\nexport function addInvoice(',
    meant: ["export function sumInvoice(", "export function addInvoice("],
  },
  // Double quotes for single ones, in the line to change.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: 'import { formatMoney } from "./money";',
    now: 'import { formatMoney } from "../money";',
    meant: ["'./money'", "'../money'"],
  },
  // One line in the middle is indented wrongly.
  {
    path: "jobs/worker.py",
    text: worker,
    old: "            try:\n            job.start(timeout=30)\n            except JobError as error:",
    now: "            try:\n            job.start(timeout=30)\n            except (JobError, TimeoutError) as error:",
    meant: ["except JobError as", "except (JobError, TimeoutError) as"],
  },
  // A line in the middle is left out.
  {
    path: "jobs/worker.py",
    text: worker,
    old: "            except JobError as error:\n                self.failed.append(job)",
    now: "            except JobError as error:\n                self.failed.append(job.id)",
    meant: ["self.failed.append(job)", "self.failed.append(job.id)"],
  },
  // A default in a signature is from memory; the change is further down.
  {
    path: "jobs/worker.py",
    text: worker,
    old: "    def __init__(self, queue, retries=5):\n        self.queue = queue\n        self.retries = retries\n        self.failed = []",
    now: "    def __init__(self, queue, retries=5):\n        self.queue = queue\n        self.retries = retries\n        self.failed = set()",
    meant: ["self.failed = []", "self.failed = set()"],
  },
  // The message of an error is from memory.
  {
    path: "server/login.go",
    text: handler,
    old: '\tif err := json.NewDecoder(r.Body).Decode(&form); err != nil {\n\t\thttp.Error(w, "invalid request", http.StatusBadRequest)\n\t\treturn\n\t}\n\n\tuser, err := s.users.FindByEmail(r.Context(), form.Email)',
    now: '\tif err := json.NewDecoder(r.Body).Decode(&form); err != nil {\n\t\thttp.Error(w, "invalid request", http.StatusBadRequest)\n\t\treturn\n\t}\n\n\tuser, err := s.users.FindByName(r.Context(), form.Name)',
    meant: ["FindByEmail(r.Context(), form.Email)", "FindByName(r.Context(), form.Name)"],
  },
  // The line to change itself is from memory: 12 hours for 24.
  {
    path: "server/login.go",
    text: handler,
    old: "\tsession := s.sessions.Create(user.ID, 12*time.Hour)\n\thttp.SetCookie(w, session.Cookie())",
    now: "\tsession := s.sessions.Create(user.ID, 48*time.Hour)\n\thttp.SetCookie(w, session.Cookie())",
    meant: ["24*time.Hour", "48*time.Hour"],
  },
  // A space is missing around an operator.
  {
    path: "server/login.go",
    text: handler,
    old: "\tsession := s.sessions.Create(user.ID, 24 * time.Hour)\n",
    now: "\tsession := s.sessions.Create(user.ID, 48 * time.Hour)\n",
    meant: ["24*time.Hour", "48*time.Hour"],
  },
  // A newer version of something that the file has in an older one; the change is elsewhere.
  {
    path: ".github/workflows/ci.yml",
    text: workflow,
    old: "    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: 20",
    now: "    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: 24",
    meant: ["node-version: 20", "node-version: 24"],
  },
  // A line that is not there, before the one to add after.
  {
    path: ".github/workflows/ci.yml",
    text: workflow,
    old: "      - run: npm ci\n      - run: npm run build\n      - run: npm test",
    now: "      - run: npm ci\n      - run: npm run build\n      - run: npm run lint\n      - run: npm test",
    meant: ["      - run: npm test", "      - run: npm run lint\n      - run: npm test"],
  },
  // The same, added between lines that are there.
  {
    path: ".github/workflows/ci.yml",
    text: workflow,
    old: "  build:\n    runs-on: ubuntu-22.04\n    steps:\n      - uses: actions/checkout@v4\n",
    now: "  build:\n    runs-on: ubuntu-22.04\n    timeout-minutes: 10\n    steps:\n      - uses: actions/checkout@v4\n",
    meant: ["    steps:\n", "    timeout-minutes: 10\n    steps:\n"],
  },
  // Tags on one line that the file has on three.
  {
    path: "web/panel.jsx",
    text: panel,
    old: "      <header onClick={() => setOpen(!isOpen)}><h2>{title}</h2></header>",
    now: "      <header onClick={() => setOpen(!isOpen)}><h3>{title}</h3></header>",
    meant: ["<h2>{title}</h2>", "<h3>{title}</h3>"],
  },
  // Parameters on lines of their own.
  {
    path: "web/panel.jsx",
    text: panel,
    old: "export function Panel({\n  title,\n  children,\n}) {\n  const [isOpen, setOpen] = useState(true);",
    now: "export function Panel({\n  title,\n  children,\n}) {\n  const [isOpen, setOpen] = useState(false);",
    meant: ["useState(true)", "useState(false)"],
  },
  // A name in a line that stays is not the file's.
  {
    path: "web/panel.jsx",
    text: panel,
    old: '  const [open, setOpen] = useState(true);\n\n  return (\n    <section className="panel">',
    now: '  const [open, setOpen] = useState(true);\n\n  return (\n    <section className="panel" aria-label={title}>',
    meant: ['<section className="panel">', '<section className="panel" aria-label={title}>'],
  },
  // A name in a line that stays is not the file's, and the new line uses it.
  {
    path: "web/panel.jsx",
    text: panel,
    old: '  const [open, setOpen] = useState(true);\n\n  return (\n    <section className="panel">',
    now: '  const [open, setOpen] = useState(true);\n\n  return (\n    <section className="panel" aria-expanded={open}>',
    meant: ['<section className="panel">', '<section className="panel" aria-expanded={isOpen}>'],
  },
  // The end is cut short: a brace too few in what stays.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: "    total += net * (1 + line.taxRate);\n\n  return Math.round(total * 100) / 100;\n}",
    now: "    total += net * (1 + line.taxRate);\n\n  return Math.ceil(total * 100) / 100;\n}",
    meant: ["Math.round(total", "Math.ceil(total"],
  },
  // A semicolon is missing in a line that stays.
  {
    path: "src/invoice.ts",
    text: invoice,
    old: '  const total = sumInvoice(invoice)\n  return "Total: " + formatMoney(total);',
    now: '  const total = sumInvoice(invoice)\n  return "Sum: " + formatMoney(total);',
    meant: ['"Total: ', '"Sum: '],
  },
  // A line is deleted; the one before it is from memory.
  {
    path: "server/login.go",
    text: handler,
    old: "\tsession := s.sessions.New(user.ID, 24*time.Hour)\n\thttp.SetCookie(w, session.Cookie())\n}",
    now: "\tsession := s.sessions.New(user.ID, 24*time.Hour)\n}",
    meant: ["\thttp.SetCookie(w, session.Cookie())\n", ""],
  },
];

/** Edits whose old text a model wrote from memory, where it does not remember all of it. */
export const rememberedCases: readonly CallCase[] = remembered.map(
  ({ path, text, old, now, meant: [from, to] }) => {
    if (text.split(from).length !== 2) throw new Error(`${path} has it more than once: ${from}`);
    return {
      kind: "text written from memory",
      files: { [path]: text },
      name: "edit",
      args: { path, old_string: old, new_string: now },
      changes: { [path]: text.replace(from, () => to) },
    };
  },
);
