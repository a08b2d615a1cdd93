/**
 * Checks the references to upstream in comments: "(`endpoints/handlers/patch.go`,
 * `validateAndTranscodePatch`)" or "(registry/core/pod, `Strategy`)" names a Go file or package, by
 * the end of its path, and a symbol declared there. They are looked up in Go's module cache, in the
 * release of `tests/control_plane/go.mod`.
 */
import assert from "node:assert/strict";
import { join } from "node:path";

const root = new URL("../", import.meta.url);

/** The modules that references may point to, and the folders of them that are searched. */
const MODULES: Readonly<Record<string, readonly string[]>> = {
  "k8s.io/kubernetes": ["pkg", "plugin"],
  "k8s.io/apimachinery": ["pkg"],
  "k8s.io/apiserver": ["pkg", "plugin"],
  "k8s.io/apiextensions-apiserver": ["pkg"],
  "k8s.io/client-go": ["."],
  "k8s.io/component-helpers": ["."],
  "k8s.io/dynamic-resource-allocation": ["."],
  "k8s.io/kube-aggregator": ["pkg"],
  "k8s.io/kube-openapi": ["pkg"],
  "k8s.io/pod-security-admission": ["."],
  "k8s.io/utils": ["."],
  "sigs.k8s.io/json": ["."],
  "sigs.k8s.io/structured-merge-diff/v6": ["."],
  "sigs.k8s.io/yaml": ["."],
  "go.yaml.in/yaml/v2": ["."],
  "github.com/google/cel-go": ["."],
};

/** Per folder, the declarations that make a file a mirror of upstream, which must name its source. */
const MIRRORS: Readonly<Record<string, RegExp>> = {
  "lib/apiserver/access": /^export /m,
  "lib/apiserver/admission": /^export /m,
  "lib/apiserver/controllers": /^export /m,
  "lib/apiserver/crd": /^export /m,
  "lib/apiserver/decode": /^export /m,
  "lib/apiserver/discovery": /^export /m,
  "lib/apiserver/front": /^export /m,
  "lib/apiserver/kinds": /^export const \w+Strategy\b/m,
  "lib/apiserver/audit": /^export /m,
  "lib/apiserver/openapi": /^export /m,
  "lib/apiserver/output": /^export /m,
  "lib/apiserver/patch/strategic": /^export /m,
};

/** The files of mirroring folders that have no upstream source, each with the reason. */
const OWN: Readonly<Record<string, string>> = {
  "lib/apiserver/access/jwt.ts": "JSON Web Tokens (RFC 7515); upstream uses the library go-jose",
  "lib/apiserver/admission/by_namespace.ts":
    "a cache over stored objects; upstream reads informers",
  "lib/apiserver/admission/expression_code.ts": "loads CEL on demand",
  "lib/apiserver/admission/objects_of_kind.ts":
    "a cache over stored objects; upstream reads informers",
  "lib/apiserver/admission/policies/policy.ts":
    "types of the API group admissionregistration.k8s.io",
  "lib/apiserver/admission/ports.ts": "the functions that plugins need from the server",
  "lib/apiserver/admission/webhook_connection.ts": "trust as in Go's crypto/x509",
  "lib/apiserver/admission/webhook_path.ts": "paths as in Go's path and net/url",
  "lib/apiserver/admission/webhooks/hook.ts": "types of the API group admissionregistration.k8s.io",
  "lib/apiserver/controllers/controllers.ts": "the table of the controllers of this folder",
  "lib/apiserver/controllers/object_key.ts": "keys of the queue of worker.ts",
  "lib/apiserver/controllers/worker.ts":
    "a queue in microtasks; upstream's is client-go's workqueue",
  "lib/apiserver/decode/base64.ts": "base64 as in Go's encoding/base64",
  "lib/apiserver/decode/complete.ts": "what Go's encoding/json writes of a struct",
  "lib/apiserver/decode/protobuf/messages.ts": "the generated messages of k8s.io/api",
  "lib/apiserver/decode/protobuf/wire_reader.ts":
    "the encoding of protobuf; upstream's is generated",
  "lib/apiserver/decode/protobuf/wire_writer.ts":
    "the encoding of protobuf; upstream's is generated",
  "lib/apiserver/decode/quick_scan.ts": "decides whether JSON.parse is exact",
  "lib/apiserver/decode/yaml/one_line_json.ts": "a shortcut for YAML that is JSON",
  "lib/apiserver/decode/yaml/steps.ts": "pauses while YAML is read",
  "lib/apiserver/front/api_front.ts": "the HTTPS server of an in-process API server",
  "lib/apiserver/front/kubeconfig.ts": "the kubeconfig of an in-process API server",
  "lib/apiserver/front/server_keys.ts": "the certificates of an in-process API server",
  "lib/apiserver/openapi/descriptions.ts": "texts written for this server",
  "lib/apiserver/openapi/openapi_code.ts": "loads the OpenAPI documents on demand",
  "lib/apiserver/openapi/protobuf_v2.ts":
    "a message of gnostic; upstream uses the library gnostic-models",
};

/** A reference to a Go file or package and a symbol in it. */
interface Reference {
  readonly file: string;
  readonly path: string;
  readonly symbol: string;
}

const FORMS = [
  /\(`?([\w./-]+\/[\w.-]+)`?, `([A-Za-z][\w.]*)`\)/g,
  /`([\w./-]+\/[\w-]+\.go), ([A-Za-z][\w.]*)`/g,
  /`([\w./-]+\/[\w-]+\.go)`, `([A-Za-z][\w.]*)`/g,
];

/**
 * Returns the head of a file: the comments before its first statement, and the doc comment of the
 * first declaration that `mark` finds.
 */
function headOf(text: string, mark: RegExp): string {
  const top = text.match(/^(?:\s*(?:\/\*[\s\S]*?\*\/|\/\/.*))*/)?.[0] ?? "";
  const before = text.slice(0, Math.max(text.search(mark), 0));
  const doc = before.match(/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/)?.[0] ?? "";
  return `${top}\n${doc}`;
}

/** Returns the comments of a file as running text. */
function commentsOf(text: string): string {
  const comments = text.match(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? [];
  return comments.join("\n").replace(/\s*\n\s*(\*|\/\/)\s?/g, " ");
}

function* referencesOf(file: string, text: string): Generator<Reference> {
  const seen = new Set<string>();
  const comments = commentsOf(text);
  for (const form of FORMS) {
    for (const [, path = "", symbol = ""] of comments.matchAll(form)) {
      if (/\.(ts|md|json)$/.test(path) || seen.has(`${path} ${symbol}`)) continue;
      seen.add(`${path} ${symbol}`);
      yield { file, path, symbol };
    }
  }
}

function* sourceFiles(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(new URL(`${folder}/`, root))) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* sourceFiles(path);
    else if (name.endsWith(".ts") && !name.endsWith("_test.ts")) yield path;
  }
}

function readSources(folder: string): Map<string, string> {
  return new Map(
    [...sourceFiles(folder)].map((path) => [path, Deno.readTextFileSync(new URL(path, root))]),
  );
}

/** Returns Go's module cache; `undefined` without Go. */
function moduleCache(): string | undefined {
  try {
    const { success, stdout } = new Deno.Command("go", {
      args: ["env", "GOMODCACHE"],
      stderr: "null",
    }).outputSync();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Returns the folders of the pinned modules in the cache, and the Go files of each. */
function goFolders(cache: string): Map<string, string[]> {
  const goMod = Deno.readTextFileSync(new URL("tests/control_plane/go.mod", root));
  const folders = new Map<string, string[]>();
  for (const [module, parts] of Object.entries(MODULES)) {
    const versions = [...goMod.matchAll(/(?:^|\s|=> )(\S+) (v\S+)/gm)]
      .filter(([, name, version]) => name === module && version !== "v0.0.0");
    const version = versions.at(-1)?.[2];
    if (version === undefined) continue;
    const home = join(cache, `${module}@${version}`);
    for (const part of parts) walk(join(home, part), folders);
  }
  return folders;
}

function walk(folder: string, folders: Map<string, string[]>): void {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return;
    throw error;
  }
  const files = entries.filter(({ name }) => name.endsWith(".go") && !name.endsWith("_test.go"));
  if (files.length > 0) folders.set(folder, files.map(({ name }) => name));
  for (const { name, isDirectory } of entries) {
    if (isDirectory && name !== "testdata") walk(join(folder, name), folders);
  }
}

/** Returns the paths of the Go files that a reference may mean. */
function candidates(path: string, folders: Map<string, string[]>): string[] {
  const end = `/${path.replace(/^\//, "")}`;
  const found: string[] = [];
  for (const [folder, names] of folders) {
    const bare = folder.replace(/@v[^/]+/, "");
    if (path.endsWith(".go")) {
      found.push(
        ...names.filter((name) => `${bare}/${name}`.endsWith(end))
          .map((name) => join(folder, name)),
      );
    } else if (bare.endsWith(end)) found.push(...names.map((name) => join(folder, name)));
  }
  return found;
}

/** Reports whether Go source declares a symbol: `Name` or `Type.Method`. */
function declares(source: string, symbol: string): boolean {
  const [type, method] = symbol.split(".");
  if (method !== undefined) {
    return new RegExp(`^func \\((\\w+ )?\\*?${type}(\\[[^\\]]*\\])?\\) ${method}\\b`, "m")
      .test(source);
  }
  return new RegExp(
    `^(func (\\([^)]*\\) )?|type |var |const |\\t(?=${symbol}\\b[^(:.]*=))${symbol}\\b`,
    "m",
  ).test(source);
}

const cache = moduleCache();
const folders = cache === undefined ? new Map<string, string[]>() : goFolders(cache);
const isAbsent = folders.size === 0;

Deno.test({
  name: "upstream: each file and symbol that a comment names exists in the pinned release" +
    (isAbsent ? " (skipped: no Go, or its module cache lacks the release)" : ""),
  ignore: isAbsent,
  fn() {
    const wrong: string[] = [];
    let count = 0;
    for (const folder of ["lib/apiserver", "lib/apimachinery"]) {
      for (const [file, text] of readSources(folder)) {
        for (const { path, symbol } of referencesOf(file, text)) {
          count++;
          const files = candidates(path, folders);
          const isDeclared = files.some((each) => declares(Deno.readTextFileSync(each), symbol));
          if (!isDeclared) {
            const why = files.length === 0 ? "no such file or package" : "no such symbol";
            wrong.push(`${file}: ${path}, ${symbol}: ${why}`);
          }
        }
      }
    }
    assert.deepEqual(wrong, []);
    assert.ok(count > 50, `only ${count} references were found`);
  },
});

Deno.test("upstream: each file that mirrors a package names the package and a symbol at its head", () => {
  const wrong: string[] = [];
  const own = new Set(Object.keys(OWN));
  for (const [folder, mark] of Object.entries(MIRRORS)) {
    for (const [file, text] of readSources(folder)) {
      if (!mark.test(text)) continue;
      const hasReference = [...referencesOf(file, headOf(text, mark))].length > 0;
      if (file in OWN) own.delete(file);
      if (hasReference === file in OWN) wrong.push(file);
    }
  }
  assert.deepEqual(wrong, [], "neither a reference nor an entry of OWN, or both");
  assert.deepEqual([...own], [], "an entry of OWN without a file in a folder of MIRRORS");
});
