/**
 * One direction only: which folder of lib may import which, as data, held against the module graph
 * that Deno itself reports (type imports included).
 */
import assert from "node:assert/strict";

/** Per folder, the other folders it may import. */
const ALLOWED: Record<string, readonly string[]> = {
  base: [],
  kubernetes_types: [],
  meta: ["kubernetes_types", "base"],
  workqueue: ["base"],
  pki: ["base"],
  serving: ["base"],
  apiserver: ["serving", "pki", "kubernetes_types", "meta", "base"],
  client: ["base", "meta"],
  cache: ["client", "meta", "base"],
  controller: ["cache", "workqueue", "client", "meta", "base"],
  xca: ["controller", "cache", "workqueue", "client", "meta", "kubernetes_types", "base"],
  testing: [
    "apiserver",
    "serving",
    "pki",
    "xca",
    "controller",
    "cache",
    "workqueue",
    "client",
    "meta",
    "base",
  ],
};

/** The same for the folders of `lib/apiserver`; the longest name that a path begins with counts. */
const ALLOWED_IN_APISERVER: Record<string, readonly string[]> = {
  machinery: [],
  facts: [],
  validation: ["machinery"],
  storage: ["machinery"],
  access: ["machinery"],
  audit: ["machinery"],
  types: ["facts", "machinery"],
  cel: ["validation", "machinery"],
  decode: ["types", "facts", "machinery"],
  seed: ["decode", "machinery"],
  output: ["decode", "types", "facts", "machinery"],
  managed_fields: ["types", "machinery"],
  patch: ["managed_fields", "decode", "types", "machinery"],
  request: ["decode", "types", "validation", "machinery"],
  front: ["request", "access", "machinery"],
  subresources: ["access", "managed_fields", "validation", "machinery"],
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
  admission: ["patch", "managed_fields", "decode", "cel", "validation", "machinery"],
  "admission/configuration": ["admission", "cel", "validation", "machinery"],
  crd: ["cel", "validation", "machinery"],
  kinds: ["crd", "admission/configuration", "facts", "validation", "machinery"],
  resources: ["kinds", "types", "facts", "machinery"],
  controllers: ["kinds", "validation", "machinery"],
  "crd/serving": ["crd", "controllers", "resources", "types", "cel", "validation", "machinery"],
  discovery: ["resources", "request", "machinery"],
  openapi: ["resources", "decode", "types", "machinery"],
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

/** Every import of every file below `lib/` and `cli/`, tests left out, as paths from the root. */
async function imports(): Promise<{ from: string; to: string }[]> {
  const files = [...filesBelow("lib/"), ...filesBelow("cli/")]
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

function folderOf(path: string): string | undefined {
  return /^lib\/([^/]+)\//.exec(path)?.[1];
}

Deno.test("layers: every folder of lib has a row in the table", () => {
  const folders = [...Deno.readDirSync(new URL("lib/", root))]
    .filter((entry) => entry.isDirectory).map((entry) => entry.name);
  assert.deepEqual(folders.sort(), Object.keys(ALLOWED).sort());
});

Deno.test("layers: a folder imports only what its row allows, and never the door of its own", async () => {
  const edges = await imports();
  assert(edges.length > 50, `the module graph has only ${edges.length} edges`);
  const broken = edges.filter(({ from, to }) => {
    const source = folderOf(from);
    if (source === undefined) return from.startsWith("cli/") && isInside(to);
    const target = folderOf(to);
    if (target === undefined) return true;
    if (target === source) return to.endsWith("/mod.ts");
    return !ALLOWED[source]!.includes(target) || to.endsWith("/mod.ts");
  });
  assert.deepEqual(broken, []);
});

const APISERVER = "lib/apiserver/";

/** The row of a path in the table of lib/apiserver; `undefined` for what stands beside its folders. */
function rowOf(path: string): string | undefined {
  if (!path.startsWith(APISERVER)) return undefined;
  const [folder, inner, file] = path.slice(APISERVER.length).split("/");
  if (inner === undefined) return undefined;
  const row = `${folder}/${inner}`;
  return file !== undefined && row in ALLOWED_IN_APISERVER ? row : folder;
}

Deno.test("layers: a folder of the API server imports only what its row allows", async () => {
  const broken = (await imports()).filter(({ from, to }) => {
    const source = rowOf(from);
    if (source === undefined || !to.startsWith(APISERVER)) return false;
    const target = rowOf(to);
    return target === undefined ||
      target !== source && !ALLOWED_IN_APISERVER[source]!.includes(target);
  });
  assert.deepEqual(broken, []);
});

Deno.test("layers: the folders of the API server stand in an order", () => {
  const above = new Set<string>();
  for (const [folder, below] of Object.entries(ALLOWED_IN_APISERVER)) {
    const unknown = below.filter((each) => !above.has(each));
    assert.deepEqual(unknown, [], `${folder} imports what its table names only after it`);
    above.add(folder);
  }
});

/** The command line comes in through the doors. */
function isInside(path: string): boolean {
  return path.startsWith("lib/") && !path.endsWith("/mod.ts");
}

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

Deno.test("ports: timers, dates and chance are taken from the machine in lib/base alone", () => {
  const direct =
    /\b(setTimeout|setInterval|Date\.now|new Date\(\)|performance\.now|Math\.random|crypto\.randomUUID|AbortSignal\.timeout)\b/;
  const broken = filesBelow("lib/")
    .filter((path) => !path.startsWith("lib/base/") && !path.endsWith("_test.ts"))
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
