/**
 * The modules of a test run: files and examples of a folder share a module, and so an isolate.
 * `deno test` creates an isolate for each module that it is given, and each loads and compiles the
 * library anew, which takes more CPU than most of our test files.
 *
 * @module
 */
import { DocExampleError, docExamples } from "./doc_examples.ts";

/**
 * The greatest number of members of a module. A run with few members has smaller modules: at least one
 * for each core.
 */
export const MAX_MEMBERS = 24;

/** The call that creates a conformance suite without servers or controllers of its own. */
const ON_SHARED_SERVERS = /^const \w+ = conformanceSuite\(import\.meta\.url\);$/m;

/** The number of segments in the names of groups, where it is not one. */
const DEPTHS: Readonly<Record<string, number>> = { lib: 2, tests: 3 };

/** A module of a test run. */
export interface TestModule {
  /** The folder and, if it has several modules, a number: `lib/client 2`. */
  readonly name: string;
  /** Test files, as paths relative to the root of the repository. */
  readonly files: readonly string[];
  /** Sources of further modules: one an example. */
  readonly sources: readonly string[];
}

/** The options of {@linkcode testModules}. */
export interface TestModulesOptions {
  /** The root of the repository, as a URL that ends with a slash. */
  readonly root: URL;
  /** Folders and files below the root. */
  readonly paths: readonly string[];
  /** Sets whether the examples in comments and pages are run. */
  readonly examples: boolean;
  /** Folders that are left out, as in `exclude` of `deno.json`. */
  readonly exclude: readonly string[];
}

/**
 * Returns the modules of a run, in the order in which they should start. Test files below `tests/`
 * come first, since they wait for servers and processes. They stay modules of their own, except for
 * the conformance suites without servers of their own.
 *
 * @throws {DocExampleError} Some examples cannot become tests; the message has a line for each.
 * @throws {Deno.errors.NotFound} A path does not exist.
 */
export function testModules(options: TestModulesOptions): readonly TestModule[] {
  const alone: TestModule[] = [];
  const groups = new Map<string, { files: string[]; sources: string[] }>();
  const groupOf = (path: string) => {
    const folder = folderOf(path);
    const group = groups.get(folder) ?? { files: [], sources: [] };
    groups.set(folder, group);
    return group;
  };
  const errors: string[] = [];
  for (const path of filesBelow(options)) {
    if (path.endsWith("_test.ts")) {
      if (isAlone(path, options.root)) alone.push({ name: path, files: [path], sources: [] });
      else groupOf(path).files.push(path);
    }
    if (!options.examples || !/\.(ts|md)$/.test(path)) continue;
    try {
      const url = new URL(path, options.root);
      const sources = docExamples(path, url, Deno.readTextFileSync(url)).map(({ source }) =>
        source
      );
      if (sources.length > 0) groupOf(path).sources.push(...sources);
    } catch (error) {
      if (!(error instanceof DocExampleError)) throw error;
      errors.push(error.message);
    }
  }
  if (errors.length > 0) throw new DocExampleError(errors.join("\n"));
  const members = [...groups.values()]
    .reduce((sum, { files, sources }) => sum + files.length + sources.length, 0);
  const most = Math.min(MAX_MEMBERS, Math.ceil(members / navigator.hardwareConcurrency));
  const grouped = [...groups].flatMap(([folder, { files, sources }]) => [
    ...chunks(files, most).map((chunk) => ({ name: folder, files: chunk, sources: [] })),
    ...chunks(sources, most)
      .map((chunk) => ({ name: `${folder} examples`, files: [], sources: chunk })),
  ]);
  const byPlace = Map.groupBy(numbered(grouped), ({ name }) => name.startsWith("tests/"));
  return [...alone, ...byPlace.get(true) ?? [], ...byPlace.get(false) ?? []];
}

/** Reports whether a test file stays a module of its own. */
function isAlone(path: string, root: URL): boolean {
  if (!path.startsWith("tests/")) return false;
  return !ON_SHARED_SERVERS.test(Deno.readTextFileSync(new URL(path, root)));
}

/** Returns the folder of a group; the examples of pages in the root are in `docs`. */
function folderOf(path: string): string {
  const segments = path.split("/").slice(0, -1);
  const [top = "docs"] = segments;
  return segments.slice(0, DEPTHS[top] ?? 1).join("/") || top;
}

/** Returns the files at and below the paths, as sorted paths relative to the root. */
function filesBelow({ root, paths, exclude }: TestModulesOptions): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (exclude.includes(path) || path.split("/").at(-1)!.startsWith(".")) return;
    const url = new URL(path, root);
    if (Deno.statSync(url).isFile) {
      found.add(path);
      return;
    }
    for (const { name } of Deno.readDirSync(url)) {
      if (name !== "node_modules") visit(`${path}/${name}`);
    }
  };
  for (const path of paths) visit(path.replace(/^\.\//, "").replace(/\/+$/, ""));
  return [...found].sort();
}

/** Splits a list into the fewest parts of about equal length with at most `most` members each. */
function chunks<T>(members: readonly T[], most: number): readonly (readonly T[])[] {
  const count = Math.ceil(members.length / most);
  const size = Math.ceil(members.length / Math.max(count, 1));
  return Array.from(
    { length: count },
    (_, index) => members.slice(index * size, (index + 1) * size),
  );
}

/** Appends a number to names that several modules have. */
function numbered(modules: readonly TestModule[]): readonly TestModule[] {
  const counts = Map.groupBy(modules, ({ name }) => name);
  return modules.map((module) => {
    const namesakes = counts.get(module.name)!;
    if (namesakes.length === 1) return module;
    return { ...module, name: `${module.name} ${namesakes.indexOf(module) + 1}` };
  });
}
