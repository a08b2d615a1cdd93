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
  "k8s.io/kube-scheduler": ["."],
  "k8s.io/pod-security-admission": ["."],
  "k8s.io/utils": ["."],
  "gopkg.in/evanphx/json-patch.v4": ["."],
  "sigs.k8s.io/json": ["."],
  "sigs.k8s.io/structured-merge-diff/v6": ["."],
  "sigs.k8s.io/yaml": ["."],
  "go.yaml.in/yaml/v2": ["."],
  "github.com/google/cel-go": ["."],
};

/** A declaration that a file exports, as opposed to what it passes on from other files. */
const DECLARATION = /^export (?:abstract |async )?(?:class|const|function\*?|interface|type) ?\w/m;

/** Per folder, the declarations that make a file a mirror of upstream, which must name its source. */
const MIRRORS: Readonly<Record<string, RegExp>> = {
  "lib/apimachinery/access": DECLARATION,
  "lib/apimachinery/cel": DECLARATION,
  "lib/apimachinery/errors": DECLARATION,
  "lib/apimachinery/meta": DECLARATION,
  "lib/apimachinery/schema": DECLARATION,
  "lib/apimachinery/validation": DECLARATION,
  "lib/apimachinery/values": DECLARATION,
  "lib/apiserver/access": /^export /m,
  "lib/apiserver/admission": /^export /m,
  "lib/apiserver/audit": /^export /m,
  "lib/apiserver/controllers": /^export /m,
  "lib/apiserver/crd": /^export /m,
  "lib/apiserver/decode": /^export /m,
  "lib/apiserver/discovery": /^export /m,
  "lib/apiserver/front": /^export /m,
  "lib/apiserver/kinds": DECLARATION,
  "lib/apiserver/machinery": DECLARATION,
  "lib/apiserver/managed_fields": DECLARATION,
  "lib/apiserver/openapi": /^export /m,
  "lib/apiserver/output": /^export /m,
  "lib/apiserver/patch": DECLARATION,
  "lib/apiserver/registry": DECLARATION,
  "lib/apiserver/request": DECLARATION,
  "lib/apiserver/resources": DECLARATION,
  "lib/apiserver/seed": DECLARATION,
  "lib/apiserver/storage": DECLARATION,
  "lib/apiserver/subresources": DECLARATION,
  "lib/apiserver/types": DECLARATION,
  "lib/apiserver/validation": DECLARATION,
  "lib/cluster": DECLARATION,
};

/** The files of mirroring folders that have no upstream source, each with the reason. */
const OWN: Readonly<Record<string, string>> = {
  "lib/cluster/cron_job/parsed_schedules.ts": "a memory of parsed schedules",
  "lib/cluster/kubelet/container_script.ts": "scripts of simulated containers",
  "lib/cluster/kubelet/script_check.ts": "checks of scripts",
  "lib/cluster/kubelet/pod_scripts.ts": "scripts of simulated pods",
  "lib/cluster/kubelet/pod_ips.ts": "addresses of simulated pods",
  "lib/cluster/ordering/by_creation.ts": "the order of objects by age",
  "lib/cluster/writes/expected_failures.ts": "errors of writes that are no failures",
  "lib/cluster/kubelet/pretend_node.ts": "nodes whose kubelet is simulated",
  "lib/apimachinery/meta/pretend_annotation.ts": "an annotation of this project",
  "lib/apiserver/subresources/connection/http_exchange.ts": "Go's HTTP client",
  "lib/apiserver/subresources/proxy/go_url.ts": "Go's URLs",
  "lib/apiserver/subresources/proxy/html_tokens.ts": "Go's tokens of HTML",
  "lib/cluster/kubelet/streams/kubelet_listener.ts": "a server on loopback",
  "lib/cluster/kubelet/streams/pod_ports.ts": "HTTP servers of simulated pods",
  "lib/cluster/kubelet/streams/log_lines.ts": "scripts of logs",
  "lib/cluster/kubelet/streams/mailbox.ts": "a queue",
  "lib/cluster/kubelet/streams/spdy_connection.ts": "SPDY, which is no part of Kubernetes",
  "lib/cluster/kubelet/streams/spdy_headers.ts": "SPDY, which is no part of Kubernetes",
  "lib/cluster/kubelet/streams/stream_context.ts": "types",
  "lib/cluster/pods/failure_of.ts": "a promise whose failure is handled later",
  "lib/cluster/metrics/refused_request.ts": "the refusals of the simulated metrics APIs",
  "lib/cluster/metrics/register_metrics.ts": "the registration of the metrics of simulated pods",
  "lib/cluster/horizontal_pod_autoscaler/metric_error.ts": "why a metric cannot be evaluated",
  "lib/cluster/horizontal_pod_autoscaler/own_rescale.ts":
    "changes of a size that a crash left unreported",
  "lib/cluster/volumes/pretend_provisioner.ts": "volumes that are simulated",
  "lib/cluster/pods/pods_on_node.ts": "an index of the cache",
  "lib/apimachinery/cel/libraries/url_host.ts": "hosts as in Go's net/url",
  "lib/apimachinery/cel/syntax/lexer.ts": "tokens of CEL's grammar; upstream's lexer is generated",
  "lib/apimachinery/cel/syntax/token_stream.ts":
    "recovery from syntax errors as in the runtime of ANTLR",
  "lib/apimachinery/cel/values/go_numbers.ts": "numbers as in Go's strconv",
  "lib/apimachinery/cel/values/go_time.ts": "times and durations as in Go's time",
  "lib/apimachinery/cel/values/to_json.ts":
    "JSON of values; upstream converts by protobuf's Struct",
  "lib/apimachinery/meta/builtin.ts": "constants written from the facts",
  "lib/apimachinery/meta/builtin_type.ts": "constructors of the constants in builtin.ts",
  "lib/apimachinery/meta/condition_summary.ts": "a convention of this library",
  "lib/apimachinery/schema/definition/internal_json.ts": "internal types as Go prints them",
  "lib/apimachinery/schema/schema_code.ts": "loads RE2 and CEL on demand",
  "lib/apimachinery/schema/structural/settled.ts":
    "a test before pruning and defaulting, which leave most values unchanged",
  "lib/apimachinery/schema/validation/quick_pattern.ts": "a fast form of simple patterns",
  "lib/apimachinery/schema/validation/surely_valid.ts":
    "a test before the full check, which most values pass",
  "lib/apimachinery/validation/go_regexp.ts": "regular expressions as in Go's regexp",
  "lib/apimachinery/validation/regexp_syntax_error.ts": "an error of go_regexp.ts",
  "lib/apimachinery/values/go_order.ts": "the order of strings as in Go",
  "lib/apimachinery/values/go_text.ts": "texts as Go's strconv and encoding/json write them",
  "lib/apimachinery/values/go_values.ts": "values as Go's fmt prints them",
  "lib/apimachinery/values/json_values.ts": "operations on JSON values",
  "lib/apimachinery/values/percent_encoding.ts": "percent escapes of URLs",
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
    "the worker of a queue in microtasks; upstream's are goroutines",
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
  "lib/apiserver/kinds/core/base64.ts": "lengths and texts of base64",
  "lib/apiserver/kinds/core/tls_key_pair.ts": "key pairs as in Go's crypto/tls",
  "lib/apiserver/kinds/core_strategies.ts": "a table of strategies",
  "lib/apiserver/kinds/jobs/job_types.ts": "types of the API group batch",
  "lib/apiserver/kinds/platform_strategies.ts": "a table of strategies",
  "lib/apiserver/kinds/pods/common/internal_form.ts": "internal types as Go prints them",
  "lib/apiserver/kinds/pods/common/pod_types.ts": "types of the core API group",
  "lib/apiserver/kinds/pods/common/unified_diff.ts": "differences as in the library go-difflib",
  "lib/apiserver/kinds/strategies.ts": "a table of strategies",
  "lib/apiserver/kinds/workload_strategies.ts": "a table of strategies",
  "lib/apiserver/machinery/byte_pieces.ts": "chunks of response bodies",
  "lib/apiserver/machinery/empty_maps.ts":
    "remembers empty maps, which Go's structs distinguish from nil",
  "lib/apiserver/machinery/type_schema.ts": "schemas by which this server decodes and merges",
  "lib/apiserver/machinery/typed_strategy.ts": "types of strategies for the compiler",
  "lib/apiserver/machinery/unconvertible.ts": "an error of decoding",
  "lib/apiserver/managed_fields/field_managers.ts": "a table of field managers",
  "lib/apiserver/managed_fields/zero_object.ts": "the zero value of a Go struct",
  "lib/apiserver/openapi/descriptions.ts": "texts written for this server",
  "lib/apiserver/openapi/openapi_code.ts": "loads the OpenAPI documents on demand",
  "lib/apiserver/openapi/protobuf_v2.ts":
    "a message of gnostic; upstream uses the library gnostic-models",
  "lib/apiserver/patch/patch_code.ts": "loads the code of PATCH on demand",
  "lib/apiserver/patch/unknown_fields.ts": "decides whether strict decoding is needed",
  "lib/apiserver/registry/handlers/candidates.ts": "label indexes, which upstream does not have",
  "lib/apiserver/registry/objects/empty_object.ts": "the zero value of a Go struct",
  "lib/apiserver/registry/objects/loose_form.ts":
    "differences between the stored form and the form of reads",
  "lib/apiserver/registry/objects/registry_core.ts": "the registry's port for verbs and handlers",
  "lib/apiserver/registry/objects/resource_finder.ts": "lookups in the table of resources",
  "lib/apiserver/registry/objects/stored_bytes.ts":
    "sizes of protobuf messages; upstream's are generated",
  "lib/apiserver/resources/builtin_resources.ts": "resources written from the facts",
  "lib/apiserver/seed/manifests.ts": "manifests that a test seeds a server with",
  "lib/apiserver/seed/seed_objects.ts": "seeds an in-process API server",
  "lib/apiserver/storage/arena.ts": "the storage in memory; upstream stores in etcd",
  "lib/apiserver/storage/collection.ts": "the storage in memory; upstream stores in etcd",
  "lib/apiserver/storage/file_port.ts": "files of the storage; upstream stores in etcd",
  "lib/apiserver/storage/frame.ts": "the storage's file; upstream stores in etcd",
  "lib/apiserver/storage/journal.ts": "the storage's file; upstream stores in etcd",
  "lib/apiserver/storage/kept_writes.ts": "the storage's file; upstream stores in etcd",
  "lib/apiserver/storage/label_index.ts": "label indexes, which upstream does not have",
  "lib/apiserver/storage/revision_log.ts": "the storage in memory; upstream stores in etcd",
  "lib/apiserver/storage/stored_labels.ts": "labels of stored texts",
  "lib/apiserver/storage/write_feed.ts": "the storage in memory; upstream stores in etcd",
  "lib/apiserver/subresources/endpoints.ts": "a table of endpoints",
  "lib/apiserver/subresources/success.ts": "the Status of success",
  "lib/apiserver/types/builtin_type.ts": "types written from the facts",
  "lib/apiserver/types/fact_shapes.ts": "types written from the facts",
  "lib/apiserver/types/type_facts.ts": "types written from the facts",
  "lib/apiserver/validation/fields.ts": "a type for the compiler",
  "lib/apiserver/validation/shown.ts": "the order of values in error messages",
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
// Other tests may have fetched a part of the modules.
const release = `${cache}/k8s.io/kubernetes@`;
const isAbsent = !folders.keys().some((folder) => folder.startsWith(release));

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
