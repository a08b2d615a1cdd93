/**
 * Conformance tests with kubectl. As in {@linkcode conformanceSuite}, the results of a case on the
 * embedded server (exit codes and normalized output) are compared with the record taken from
 * kube-apiserver; `XCA_UPDATE=1` records again.
 *
 * @module
 */
import { basename } from "node:path";
import { realTest } from "../../real/suite.ts";
import { type Exchange, normalise } from "../normalise.ts";
import { assertAsRecorded, readRecords, writeRecords } from "../records.ts";
import { Servers } from "../servers.ts";

/** The outcome of a run of kubectl, as recorded. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of a run of kubectl. */
export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves the run out of the record. */
  readonly unrecorded?: boolean;
  /** Returns the part of the output to record. @default {all} */
  readonly keep?: (line: string) => boolean;
}

/** kubectl on one server, in a namespace of its own. */
export class Kubectl {
  readonly exchanges: Exchange[] = [];
  readonly names: Map<string, string> = new Map();
  readonly masks: readonly (readonly [RegExp, string])[] = MASKS;
  readonly managedFields = true;
  readonly namespace: string;
  readonly #kubeconfig: string;
  readonly #folder: string;
  readonly #run: string;

  constructor(kubeconfig: string, folder: string, run: string) {
    this.#kubeconfig = kubeconfig;
    this.#folder = folder;
    this.#run = run;
    this.namespace = this.unique("ns");
    this.names.set(folder, "<folder>");
  }

  /** A name of this run alone. */
  unique(prefix: string): string {
    const name = `${prefix}-${this.#run}`;
    this.names.set(name, `<${prefix}>`);
    return name;
  }

  /** Writes a file into the folder of the case and gives its path. */
  async file(name: string, content: string | object): Promise<string> {
    const path = `${this.#folder}/${name}`;
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    await Deno.writeTextFile(path, text);
    return path;
  }

  /** Creates what a case begins with. */
  async make(...objects: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    const { code, stderr } = await this.run("create -f -", { stdin: list, unrecorded: true });
    if (code !== 0) throw new Error(stderr);
  }

  /** Runs kubectl in the namespace; the arguments are separated by spaces, or given as a list. */
  async run(args: string | readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const list = typeof args === "string" ? args.split(" ") : args;
    const { code, stdout, stderr } = await this.#spawn(list, options).then((child) =>
      child.output()
    );
    const keep = options.keep ?? (() => true);
    const text = (bytes: Uint8Array): string =>
      new TextDecoder().decode(bytes).split("\n").filter(keep).map(tidy).join("\n");
    const outcome = { code, stdout: text(stdout), stderr: text(stderr) };
    if (!options.unrecorded) {
      this.exchanges.push({
        request: `kubectl ${list.join(" ")}`,
        code,
        body: { stdout: outcome.stdout, stderr: outcome.stderr },
      });
    }
    return outcome;
  }

  /**
   * Runs a kubectl that does not end by itself (`get --watch`), ends it once its output contains
   * the text, and records the output until then.
   */
  async runUntil(args: string, text: string, meanwhile: () => Promise<unknown>): Promise<string> {
    const child = await this.#spawn(args.split(" "), {});
    const stderr = new Response(child.stderr).text();
    let seen = "";
    let started = false;
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    while (!seen.includes(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      seen += value;
      if (!started) {
        started = true;
        await meanwhile();
      }
    }
    try {
      child.kill();
    } catch {
      // It ended by itself.
    }
    while (!(await reader.read()).done);
    await child.status;
    await stderr;
    // The last line may have come without its end.
    const stdout = seen.trimEnd().split("\n").map(tidy).join("\n");
    this.exchanges.push({ request: `kubectl ${args}`, code: 0, body: { stdout } });
    return stdout;
  }

  async #spawn(args: readonly string[], options: RunOptions): Promise<Deno.ChildProcess> {
    const child = new Deno.Command("kubectl", {
      args: [
        `--kubeconfig=${this.#kubeconfig}`,
        `--cache-dir=${this.#folder}/cache`,
        `--namespace=${this.namespace}`,
        ...args,
      ],
      env: { HOME: this.#folder, ...options.env },
      cwd: this.#folder,
      stdin: options.stdin === undefined ? "null" : "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    if (options.stdin !== undefined) {
      await new Response(options.stdin).body!.pipeTo(child.stdin);
    }
    return child;
  }
}

/** Widths of columns depend on ages. */
function tidy(line: string): string {
  return line.replace(/ {2,}|\t/g, "  ").trimEnd();
}

const MASKS: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/(127\.0\.0\.1|localhost):\d+/g, "<server>"],
  [/\b127\.0\.0\.1:\d+\b/g, "<address>"],
  // Ages.
  [/(?<=\s)(\d+[smhd]){1,2}(?=\s|$)/gm, "<age>"],
  [/<invalid>/g, "<age>"],
  [/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<date>"],
  [/"?resourceVersion"?: "?\d+"?/g, "resourceVersion: <version>"],
  [/Resource Version:\s+\d+/g, "Resource Version: <version>"],
  [/\b3[0-2]\d{3}\b/g, "<port>"],
  [/(?<=\/tmp\/)(LIVE|MERGED)-\d+/g, "$1"],
  [/kubectl-edit-\w+\.yaml/g, "kubectl-edit.yaml"],
  [/"Content-Length: \d+"/g, ""],
];

/** A suite of kubectl cases; one per file. */
export interface KubectlSuite {
  /** Adds a case: two tests, one per server. */
  (name: string, run: (kubectl: Kubectl) => Promise<void>): void;
}

const update = Deno.env.get("XCA_UPDATE") === "1";

/** Creates the suite of a test file; `url` is the file's `import.meta.url`. */
export function kubectlSuite(url: string): KubectlSuite {
  const file = basename(new URL(url).pathname).replace(/_test\.ts$/, "");
  const path = new URL(`../records/${file}.json`, import.meta.url);
  const records = readRecords(path);
  const servers = new Servers({});
  let updated = false;

  Deno.test.beforeAll(() => servers.startForKubectl());
  Deno.test.afterAll(async () => {
    await servers[Symbol.asyncDispose]();
    if (updated) writeRecords(path, records);
  });

  return (name, run) => {
    realTest(`kubectl on kube-apiserver: ${name}`, async () => {
      const seen = await runCase(await servers.realKubeconfig(), run);
      if (update) {
        records[name] = seen;
        updated = true;
      }
      assertAsRecorded(name, seen, records[name]);
    });
    // Needs kubectl, as the control plane's tests do.
    realTest(`kubectl: ${name}`, async () => {
      const seen = await runCase(await servers.embeddedKubeconfig(), run);
      assertAsRecorded(name, seen, records[name]);
    });
  };
}

async function runCase(
  kubeconfig: string,
  run: (kubectl: Kubectl) => Promise<void>,
): Promise<Exchange[]> {
  const folder = await Deno.makeTempDir({ prefix: "xca-kubectl-" });
  try {
    const kubectl = new Kubectl(kubeconfig, folder, crypto.randomUUID().slice(0, 8));
    await kubectl.run(`create namespace ${kubectl.namespace}`, { unrecorded: true });
    await run(kubectl);
    return normalise(kubectl.exchanges, kubectl);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
