/**
 * One direction only: which folder of lib may import which, as data, held against the module graph
 * that Deno itself reports (type imports included).
 */
import assert from "node:assert/strict";

/** The packages of the workspace, by folder, and the packages that each may import. */
const PACKAGES: Record<string, readonly string[]> = {
  "lib/apimachinery/": [],
  "lib/apiserver/": ["lib/apimachinery/"],
  "lib/": ["lib/apimachinery/"],
};

/** The folders of the operator that alone may import the embedded API server. */
const IMPORTERS_OF_APISERVER = ["lib/testing/", "cli/"];

/** Per folder of `@xca/operator`, the other folders of it that it may import. */
const ALLOWED_IN_OPERATOR: Record<string, readonly string[]> = {
  doors: [],
  client: [],
  cache: ["client"],
  events: ["client"],
  schedule: [],
  controller: ["cache", "events", "client"],
  webhook: ["controller", "client"],
  resource: ["client"],
  rbac: ["controller", "client"],
  manager: ["rbac", "controller", "cache", "client"],
  project: ["webhook", "rbac", "controller", "client"],
  xca: ["rbac", "controller", "resource"],
  cluster: ["controller", "schedule", "cache", "client"],
  testing: ["cluster", "controller", "client"],
};

/** Per folder of `@xca/apimachinery`, the other folders of it that it may import. */
const ALLOWED_IN_APIMACHINERY: Record<string, readonly string[]> = {
  base: [],
  workqueue: ["base"],
  kubernetes_types: [],
  kubernetes_schemas: ["kubernetes_types"],
  access: [],
  pki: [],
  serving: ["pki", "base"],
  meta: ["kubernetes_types"],
  values: ["meta"],
  errors: ["values", "base"],
  validation: ["errors", "meta", "base"],
  resources: ["validation", "values", "kubernetes_types"],
  quota: ["resources", "values", "kubernetes_types"],
  cel: ["access", "validation", "errors", "values"],
  schema: ["cel", "validation", "errors", "values", "meta", "base"],
};

/**
 * Per folder of `@xca/apiserver`, the other folders of it that it may import; the longest name that a
 * path begins with counts.
 */
const ALLOWED_IN_APISERVER: Record<string, readonly string[]> = {
  machinery: [],
  facts: [],
  validation: [],
  storage: [],
  audit: ["machinery"],
  types: ["facts", "machinery"],
  decode: ["types", "facts", "machinery"],
  seed: ["decode"],
  output: ["types", "facts", "machinery"],
  "managed_fields/field_set": [],
  "managed_fields/typed": ["managed_fields/field_set", "types", "machinery"],
  managed_fields: ["managed_fields/typed", "managed_fields/field_set", "types", "machinery"],
  patch: ["managed_fields", "decode", "types", "machinery"],
  request: ["decode", "types", "validation", "machinery"],
  access: ["request", "machinery"],
  front: ["request", "access"],
  "subresources/connection": ["access", "machinery"],
  "subresources/proxy": ["subresources/connection", "machinery"],
  subresources: [
    "subresources/connection",
    "subresources/proxy",
    "access",
    "managed_fields",
    "validation",
    "machinery",
  ],
  aggregation: ["subresources/connection", "machinery"],
  registry: [
    "subresources",
    "request",
    "patch",
    "managed_fields",
    "output",
    "decode",
    "storage",
    "validation",
    "machinery",
  ],
  admission: [
    "patch",
    "managed_fields",
    "managed_fields/typed",
    "decode",
    "validation",
    "machinery",
  ],
  "admission/configuration": ["admission", "validation", "machinery"],
  crd: ["machinery"],
  kinds: ["crd", "admission/configuration", "facts", "validation", "machinery"],
  resources: ["kinds", "types", "facts", "machinery"],
  controllers: ["aggregation", "kinds", "validation", "machinery"],
  "crd/serving": ["controllers", "resources", "types", "machinery"],
  discovery: ["resources", "request", "machinery"],
  openapi: ["resources", "decode", "types", "machinery"],
};

/** Per folder of `lib/cache`, the other folders of it that it may import. */
const ALLOWED_IN_CACHE: Record<string, readonly string[]> = {
  packed: [],
  watch: [],
  store: ["packed"],
  reflector: ["watch", "store", "packed"],
  events: ["store", "packed"],
  feed: ["events", "reflector", "store", "packed"],
  readers: ["store", "packed"],
  informer: ["readers", "feed", "events", "reflector", "watch", "store", "packed"],
};

/** Per folder of `lib/controller`, the other folders of it that it may import. */
const ALLOWED_IN_CONTROLLER: Record<string, readonly string[]> = {
  ports: [],
  definition: ["ports"],
  log: ["definition", "ports"],
  sources: ["log", "definition", "ports"],
  tracing: ["sources", "definition"],
  writes: ["sources", "definition"],
  run: ["writes", "tracing", "sources", "log", "definition", "ports"],
  operator: ["run", "writes", "sources", "definition", "ports"],
  finalizer: ["definition"],
  status: ["definition"],
  children: ["definition"],
};

/** Per folder of `lib/cluster`, the other folders of it that it may import. */
const ALLOWED_IN_CLUSTER: Record<string, readonly string[]> = {
  ordering: [],
  writes: [],
  status: [],
  ownership: [],
  workloads: ["ordering", "ownership"],
  pods: ["ordering"],
  replica_set: ["pods", "ownership", "status"],
  deployment: ["pods", "ordering", "ownership", "workloads"],
  job: ["pods", "ownership"],
  cron_job: ["ownership"],
  stateful_set: ["pods", "workloads", "ownership", "status"],
  volumes: ["pods"],
  scheduler: ["pods", "ordering", "volumes"],
  pod_gc: ["pods", "ordering"],
  disruption: ["pods", "workloads"],
  daemon_set: ["scheduler", "pods", "ordering", "ownership", "workloads", "status"],
  kubelet: ["pods", "writes"],
  metrics: ["kubelet", "pods"],
  horizontal_pod_autoscaler: ["metrics", "kubelet", "pods"],
  nodes: ["scheduler", "pods"],
  services: ["pods"],
  certificates: [],
  resource_quota: ["pods"],
  namespaces: ["writes"],
  service_accounts: [],
};

/** Per folder of `lib/client`, the other folders of it that it may import. */
const ALLOWED_IN_CLIENT: Record<string, readonly string[]> = {
  config: [],
  kubeconfig: ["config"],
  errors: [],
  decode: ["errors"],
  credentials: ["config"],
  "transport/http1": [],
  "transport/connect": ["transport/http1", "credentials", "config"],
  transport: ["transport/connect", "transport/http1", "credentials", "errors", "config"],
  calls: ["transport", "transport/http1", "credentials", "errors", "config"],
  raw: ["calls", "transport", "decode", "errors"],
  typed: ["raw", "calls", "transport", "decode", "errors", "config"],
  rest: ["typed", "raw", "calls", "transport"],
  scoped: ["typed", "raw", "calls", "transport", "config"],
  discovery: ["typed", "calls", "errors"],
  subresources: ["typed", "calls", "errors"],
  pods: ["raw", "calls", "transport", "decode", "errors"],
};

const root = new URL("../", import.meta.url);

interface Dependency {
  readonly code?: { readonly specifier?: string };
  readonly type?: { readonly specifier?: string };
}

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly Dependency[];
}

function filesBelow(folder: string): string[] {
  const found: string[] = [];
  for (const entry of Deno.readDirSync(new URL(folder, root))) {
    const path = `${folder}${entry.name}`;
    if (entry.isDirectory) found.push(...filesBelow(`${path}/`));
    else if (path.endsWith(".ts")) found.push(path);
  }
  return found.sort();
}

/** Every import of `mod.ts` and of every file below `lib/` and `cli/`, tests left out, as paths from the root. */
async function imports(): Promise<{ from: string; to: string }[]> {
  const files = ["mod.ts", ...filesBelow("lib/"), ...filesBelow("cli/")]
    .filter((path) => !path.endsWith("_test.ts"));
  const found = new Map<string, { from: string; to: string }>();
  const all = new URL("mod.ts", await makeEntry(files));
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", new URL("deno.json", root).pathname, all.pathname],
    stderr: "inherit",
  }).output();
  await Deno.remove(new URL(".", all), { recursive: true });
  const graph = JSON.parse(new TextDecoder().decode(stdout)) as { modules: ModuleInfo[] };
  for (const module of graph.modules) {
    const from = relative(module.specifier);
    if (from === undefined) continue;
    for (const { code, type } of module.dependencies ?? []) {
      const to = relative(code?.specifier ?? type?.specifier ?? "");
      if (to !== undefined) found.set(`${from} ${to}`, { from, to });
    }
  }
  return [...found.values()];
}

async function makeEntry(files: readonly string[]): Promise<URL> {
  const folder = await Deno.makeTempDir();
  const entry = new URL(`file://${folder}/mod.ts`);
  await Deno.writeTextFile(
    entry,
    files.map((path) => `import ${JSON.stringify(new URL(path, root).href)};\n`).join(""),
  );
  return entry;
}

function relative(specifier: string): string | undefined {
  return specifier.startsWith(root.href) ? specifier.slice(root.href.length) : undefined;
}

/** The folder of the package that a file belongs to; `undefined` outside of `lib/`. */
function packageOf(path: string): string | undefined {
  return Object.keys(PACKAGES).find((folder) => path.startsWith(folder));
}

/** A file through which a package, or a folder, is used from outside. */
function isDoor(path: string): boolean {
  return DOORS.has(path);
}

function doorsOf(folder: string): string[] {
  const { exports } = JSON.parse(Deno.readTextFileSync(new URL(`${folder}deno.json`, root)));
  return Object.values(exports as Record<string, string>).map((door) =>
    folder + door.replace("./", "")
  );
}

const DOORS = new Set(["", "lib/apimachinery/", "lib/apiserver/"].flatMap(doorsOf));

/** The folders directly below a folder. */
function foldersOf(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, root))]
    .filter((entry) => entry.isDirectory).map((entry) => entry.name).sort();
}

Deno.test("layers: every folder of a package has a row in its table", () => {
  const members = ["apimachinery", "apiserver"];
  const own = foldersOf("lib/").filter((name) => !members.includes(name));
  assert.deepEqual(own, Object.keys(ALLOWED_IN_OPERATOR).sort());
  assert.deepEqual(foldersOf("lib/apimachinery/"), Object.keys(ALLOWED_IN_APIMACHINERY).sort());
  const rows = Object.keys(ALLOWED_IN_APISERVER).map((row) => row.split("/")[0]!);
  assert.deepEqual(foldersOf("lib/apiserver/"), [...new Set(rows)].sort());
});

Deno.test("layers: a package imports another one by its entry points, and none imports back", async () => {
  const edges = await imports();
  assert(edges.length > 50, `the module graph has only ${edges.length} edges`);
  const broken = edges.filter(({ from, to }) => {
    const source = packageOf(from) ?? (from.startsWith("cli/") ? "lib/" : undefined);
    const target = packageOf(to);
    if (source === undefined || target === undefined || source === target) return false;
    if (!isDoor(to)) return true;
    if (target === "lib/apiserver/" && source === "lib/") {
      return !IMPORTERS_OF_APISERVER.some((folder) => from.startsWith(folder));
    }
    return !PACKAGES[source]!.includes(target);
  });
  assert.deepEqual(broken, []);
});

Deno.test("layers: the main entry point imports only client, cache, controller and apimachinery", async () => {
  const targets = (await imports()).filter(({ from }) => from === "mod.ts").map(({ to }) => to);
  assert.deepEqual(targets.sort(), [
    "lib/apimachinery/base/mod.ts",
    "lib/apimachinery/meta/mod.ts",
    "lib/cache/mod.ts",
    "lib/client/mod.ts",
    "lib/controller/mod.ts",
  ]);
});

/** The edges between folders of one package that its table does not name. */
async function brokenEdges(
  base: string,
  table: Record<string, readonly string[]>,
): Promise<{ from: string; to: string }[]> {
  const folderOf = (path: string): string | undefined =>
    packageOf(path) === base ? /^([^/]+)\//.exec(path.slice(base.length))?.[1] : undefined;
  return (await imports()).filter(({ from, to }) => {
    const source = folderOf(from);
    const target = folderOf(to);
    if (source === undefined || packageOf(to) !== base) return false;
    if (target === undefined) return true;
    if (target === source) return to.endsWith("/mod.ts");
    return !table[source]!.includes(target) || to.endsWith("/mod.ts");
  });
}

Deno.test("layers: a folder of the operator imports only the folders that its row allows, and never its own entry point", async () => {
  assert.deepEqual(await brokenEdges("lib/", ALLOWED_IN_OPERATOR), []);
});

Deno.test("layers: a folder of apimachinery imports only the folders that its row allows, and never its own entry point", async () => {
  assert.deepEqual(await brokenEdges("lib/apimachinery/", ALLOWED_IN_APIMACHINERY), []);
});

/** The type Xca alone: its schema, the operator and Xtls would cost 8 ms of each `status`. */
const XCA = "lib/xca/xca_type.ts";

Deno.test("layers: the command line imports the entry points, and the type Xca", async () => {
  const broken = (await imports()).filter(({ from, to }) =>
    from.startsWith("cli/") && to.startsWith("lib/") && !isDoor(to) && to !== XCA
  );
  assert.deepEqual(broken, []);
});

/** A folder whose own folders stand in an order. */
interface Ordered {
  /** The name for messages. */
  readonly name: string;
  /** The path, from the root. */
  readonly folder: string;
  /** Per folder, the folders that it may import, those that import nothing first. */
  readonly table: Record<string, readonly string[]>;
  /** The largest number of files in a folder, tests apart. @default no limit */
  readonly maxFiles?: number;
}

const ORDERED: readonly Ordered[] = [
  { name: "API server", folder: "lib/apiserver/", table: ALLOWED_IN_APISERVER },
  { name: "cache", folder: "lib/cache/", table: ALLOWED_IN_CACHE, maxFiles: 20 },
  { name: "controller", folder: "lib/controller/", table: ALLOWED_IN_CONTROLLER, maxFiles: 20 },
  { name: "cluster", folder: "lib/cluster/", table: ALLOWED_IN_CLUSTER, maxFiles: 20 },
  { name: "client", folder: "lib/client/", table: ALLOWED_IN_CLIENT, maxFiles: 20 },
];

/** Returns the row of a file: the longest that its path begins with; `undefined` for files beside the rows. */
function rowOf(
  { folder, table }: Pick<Ordered, "folder" | "table">,
  path: string,
): string | undefined {
  if (!path.startsWith(folder)) return undefined;
  const [outer, inner, file] = path.slice(folder.length).split("/");
  if (inner === undefined) return undefined;
  const row = `${outer}/${inner}`;
  return file !== undefined && row in table ? row : outer;
}

for (const ordered of ORDERED) {
  const { name, folder, table, maxFiles } = ordered;
  Deno.test(`layers: a folder of the ${name} imports only the folders that its row allows`, async () => {
    const rows = Object.keys(table).map((row) => row.split("/")[0]!);
    assert.deepEqual(foldersOf(folder), [...new Set(rows)].sort());
    const broken = (await imports()).filter(({ from, to }) => {
      const source = rowOf(ordered, from);
      if (source === undefined || !to.startsWith(folder)) return false;
      const target = rowOf(ordered, to);
      return target === undefined || target !== source && !table[source]!.includes(target);
    });
    assert.deepEqual(broken, []);
  });

  Deno.test(`layers: the folders of the ${name} have an order`, () => {
    const above = new Set<string>();
    for (const [row, below] of Object.entries(table)) {
      const unknown = below.filter((each) => !above.has(each));
      assert.deepEqual(unknown, [], `${row} imports what the table names only after it`);
      above.add(row);
    }
  });

  if (maxFiles === undefined) continue;
  Deno.test(`layers: no folder of the ${name} has more than ${maxFiles} files`, () => {
    const counts = new Map<string, number>();
    for (const path of filesBelow(folder).filter((path) => !path.endsWith("_test.ts"))) {
      const holder = path.slice(0, path.lastIndexOf("/"));
      counts.set(holder, (counts.get(holder) ?? 0) + 1);
    }
    assert.deepEqual([...counts].filter(([, count]) => count > maxFiles), []);
  });
}

/** Every table, with the folder that it is about. */
const TABLES: readonly { folder: string; table: Record<string, readonly string[]> }[] = [
  { folder: "lib/", table: ALLOWED_IN_OPERATOR },
  { folder: "lib/apimachinery/", table: ALLOWED_IN_APIMACHINERY },
  ...ORDERED,
];

Deno.test("layers: each import that a row allows exists", async () => {
  const edges = await imports();
  for (const ordered of TABLES) {
    const found = new Set(
      edges.map(({ from, to }) => `${rowOf(ordered, from)} -> ${rowOf(ordered, to)}`),
    );
    const unused = Object.entries(ordered.table)
      .flatMap(([row, below]) => below.map((each) => `${row} -> ${each}`))
      .filter((edge) => !found.has(edge));
    assert.deepEqual(unused, [], `${ordered.folder}: remove from the table what nothing imports`);
  }
});

/** Returns the packages that the examples in the comments of a file import. */
function packagesInExamples(path: string): string[] {
  const text = Deno.readTextFileSync(new URL(path, root));
  return [...text.matchAll(/^ *\* .*\bfrom "(@xca\/\w+)/gm)].map(([, name]) => name!);
}

Deno.test("layers: the examples of a package import it and the packages below it alone", () => {
  const examples: Record<string, readonly string[]> = {
    "lib/apimachinery/": ["@xca/apimachinery"],
    "lib/apiserver/": ["@xca/apiserver", "@xca/apimachinery"],
  };
  let count = 0;
  for (const [folder, allowed] of Object.entries(examples)) {
    const broken = filesBelow(folder).flatMap((path) => {
      const names = packagesInExamples(path);
      count += names.length;
      return names.filter((name) => !allowed.includes(name)).map((name) => ({ path, name }));
    });
    assert.deepEqual(broken, []);
  }
  assert(count > 20, `only ${count} imports found: does this test still look?`);
});

/** Returns the npm packages that the files of a package import, tests apart. */
function npmPackagesIn(files: readonly string[], known: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of files.filter((path) => !path.endsWith("_test.ts"))) {
    const text = Deno.readTextFileSync(new URL(path, root));
    for (const [, name] of text.matchAll(/(?:\bfrom |^import |\bimport\()"([^"./][^"]*)"/gm)) {
      const listed = known.find((each) => name === each || name!.startsWith(`${each}/`));
      if (listed !== undefined) found.add(listed);
    }
  }
  return found;
}

Deno.test("layers: a package depends on the others of the workspace in their exact version, since it imports their internals", () => {
  const configs = ["", "lib/apimachinery/", "lib/apiserver/"].map((folder) =>
    JSON.parse(Deno.readTextFileSync(new URL(`${folder}deno.json`, root)))
  );
  const exact = new Map(configs.map(({ name, version }) => [name, `jsr:${name}@${version}`]));
  const expected: Record<string, readonly string[]> = {
    "@xca/apimachinery": [],
    "@xca/apiserver": ["@xca/apimachinery"],
    "@xca/operator": ["@xca/apimachinery", "@xca/apiserver"],
  };
  for (const { name, imports } of configs) {
    const siblings = Object.entries(imports).filter(([key]) => exact.has(key));
    const pinned = expected[name]!.map((sibling) => [sibling, exact.get(sibling)]);
    assert.deepEqual(siblings, pinned, name);
  }
});

/** Packages that no file imports: the peers that another package needs beside it. */
const PEERS = ["commander"];

Deno.test("layers: each package lists the npm packages that it imports, and no others", () => {
  const configs = ["", "lib/apimachinery/", "lib/apiserver/"].map((folder) => ({
    folder,
    imports: Object.keys(
      JSON.parse(Deno.readTextFileSync(new URL(`${folder}deno.json`, root))).imports,
    ),
  }));
  const known = [...new Set(configs.flatMap(({ imports }) => imports))];
  for (const { folder, imports } of configs) {
    const files = folder === ""
      ? ["lib/", "cli/", "plugin/", "tests/", "bench/", "examples/"].flatMap(filesBelow)
        .filter((path) => (packageOf(path) ?? "lib/") === "lib/")
      : filesBelow(folder);
    const own = known.filter((name) => !name.startsWith("@xca/"));
    const listed = imports.filter((name) => own.includes(name) && !PEERS.includes(name));
    assert.deepEqual([...npmPackagesIn(files, own)].sort(), listed.sort(), folder || "root");
  }
});

Deno.test("layers: no import cycle, type imports included", async () => {
  const edges = await imports();
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    assert(!trail.includes(path), `cycle: ${[...trail, path].join(" -> ")}`);
    if (done.has(path)) return;
    for (const to of next.get(path) ?? []) walk(to, [...trail, path]);
    done.add(path);
  };
  for (const path of next.keys()) walk(path, []);
});

Deno.test("ports: only base uses timers, dates and randomness of the machine", () => {
  const direct =
    /\b(setTimeout|setInterval|Date\.now|new Date\(\)|performance\.now|Math\.random|crypto\.randomUUID|AbortSignal\.timeout)\b/;
  const broken = filesBelow("lib/")
    .filter((path) => !path.startsWith("lib/apimachinery/base/") && !path.endsWith("_test.ts"))
    .flatMap((path) =>
      Deno.readTextFileSync(new URL(path, root)).split("\n")
        .map((text, index) => ({ where: `${path}:${index + 1}`, text: text.trim() }))
        .filter(({ text }) => direct.test(text) && !/^(\*|\/\/|\/\*)/.test(text))
    );
  assert.deepEqual(broken, []);
});

Deno.test("shape: no file of lib or cli is longer than 500 lines", () => {
  const long = [...filesBelow("lib/"), ...filesBelow("cli/")]
    .filter((path) => !path.endsWith("_test.ts"))
    .map((path) => ({ path, lines: Deno.readTextFileSync(new URL(path, root)).split("\n").length }))
    .filter(({ lines }) => lines > 500);
  assert.deepEqual(long, []);
});

Deno.test("shape: the strategy of a kind is an xStrategy that is written against the kind's type", () => {
  const broken = filesBelow("lib/apiserver/")
    .filter((path) => !path.endsWith("_test.ts"))
    .flatMap((path) => Deno.readTextFileSync(new URL(path, root)).match(STRATEGIES) ?? [])
    .filter((text) => !TYPED_STRATEGY.test(text));
  assert.deepEqual(broken, []);
});

/** The declarations of strategies, with what follows the equals sign. */
const STRATEGIES = /^export const \w+: KindStrategy =\s.*$(\n +\.\.\..*$)*/gm;

/** A strategy made by `typedStrategy` or by a function of its own, or composed of such. */
const TYPED_STRATEGY =
  /^export const [a-z]\w*Strategy: KindStrategy =\s+([a-z]\w*Strategy[<(]|\{\n( +\.\.\.[A-Z_]+,\n)? +\.\.\.typedStrategy<)/;
