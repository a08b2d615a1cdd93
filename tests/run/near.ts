/**
 * The tests of a change, in the order in which they are worth running. Imports alone do not tell: the
 * entry point of a folder imports all of its files, so most tests of the client reach most of its files
 * in two steps. Of these, the tests with the names of the changed file and its folders come first.
 *
 * @module
 */

/** The number of near test files: they run in seconds. More run when more files changed. */
export const NEAR = 10;

/** The number of tests in other folders for a changed file: these start servers and processes. */
const NEAR_SUITES = 4;

/** The number of imports that a name in common outweighs. */
const STEPS_PER_NAME = 2;

/** Parts of paths that do not tell one test from another. */
const COMMON_NAMES = ["", "lib", "mod", "test", "tests", "ts"];

/** Tests that read or call what they test, instead of importing it. */
const READERS: readonly { readonly files: RegExp; readonly tests: RegExp }[] = [
  // Links, commands and prose.
  { files: /\.md$/, tests: /^tests\/documents\// },
  // The snapshot of public names.
  { files: /^mod\.ts$|^lib\/(.+\/)?(mod|doors\/.+)\.ts$/, tests: /^tests\/packaging\/exports_/ },
  // Entry points, packages and dependencies.
  { files: /(^|\/)deno\.(json|lock)$/, tests: /^tests\/(layers|packaging\/exports)_/ },
  // Kinds of the embedded server, which are tested by requests.
  {
    files: /^lib\/apiserver\/kinds\//,
    tests: /^tests\/conformance\/kinds\/(other_kinds|pods|services|workloads)_/,
  },
  { files: /^lib\/apiserver\/crd\//, tests: /^tests\/.*\/custom_resource_definitions_/ },
  // Launchers and manifests.
  { files: /^plugin\//, tests: /^tests\/packaging\// },
];

/** The paths of the files that import a file directly, by the path of that file. */
export type Importers = ReadonlyMap<string, readonly string[]>;

/** The test files of a change. */
export interface ChangedTests {
  /** The nearest ones. */
  readonly near: readonly string[];
  /** The others that the change can reach. */
  readonly further: readonly string[];
}

/**
 * Returns the test files that changed files can reach. The near ones are the changed tests, the tests
 * that read a changed file, and the tests beside the code at the least distance from a changed file, of
 * each changed file in turn.
 *
 * @param changed The paths of the changed files.
 * @param tests The paths of all test files.
 * @param importers The imports of the repository.
 */
export function testsOf(
  changed: readonly string[],
  tests: readonly string[],
  importers: Importers,
): ChangedTests {
  const found = changed.map((path) => testsOfFile(path, tests, importers));
  const near = new Set(found.flatMap((ofFile) => ofFile.near));
  const further = inTurns(found.map((ofFile) => ofFile.further)).filter((test) => !near.has(test));
  const places = Math.max(NEAR - near.size, changed.length);
  for (const test of further.filter(isBesideCode).slice(0, places)) near.add(test);
  return { near: [...near], further: further.filter((test) => !near.has(test)) };
}

/** Returns the tests of one changed file: those that are near in any case, and others by distance. */
function testsOfFile(
  path: string,
  tests: readonly string[],
  importers: Importers,
): ChangedTests {
  if (tests.includes(path)) return { near: [path], further: [] };
  const steps = stepsFrom(path, importers);
  const further = tests.filter((test) => steps.has(test))
    .map((test) => ({
      test,
      distance: steps.get(test)! - STEPS_PER_NAME * sharedNames(path, test),
    }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ test }) => test);
  const readers = READERS.filter(({ files }) => files.test(path))
    .flatMap((reader) => namesakes(path, tests.filter((test) => reader.tests.test(test))));
  if (readers.length > 0 || further.some(isBesideCode)) return { near: readers, further };
  if (further.length > 0) return { near: further.slice(0, 1), further };
  // A record, for instance, which a test reads that has its name.
  return { near: namesakes(path, tests.filter((test) => sharedNames(path, test) > 1)), further };
}

/** Returns those tests that have the most names in common with a file. */
function namesakes(path: string, tests: readonly string[]): readonly string[] {
  const most = Math.max(...tests.map((test) => sharedNames(path, test)));
  return tests.filter((test) => sharedNames(path, test) === most).slice(0, NEAR_SUITES);
}

/** Returns the number of folders and words that two paths have in common. */
function sharedNames(path: string, other: string): number {
  return namesIn(path).intersection(namesIn(other)).size;
}

function namesIn(path: string): ReadonlySet<string> {
  return new Set(path.split(/[/_.]/).filter((name) => !COMMON_NAMES.includes(name)));
}

/** Returns the files that a file can reach, with the number of imports between them. */
function stepsFrom(path: string, importers: Importers): ReadonlyMap<string, number> {
  const steps = new Map([[path, 0]]);
  // The loop visits the entries that it adds.
  for (const [file, count] of steps) {
    for (const importer of importers.get(file) ?? []) {
      if (!steps.has(importer)) steps.set(importer, count + 1);
    }
  }
  return steps;
}

/** Returns the members of lists without repetition: the first of each list, the second of each, ... */
function inTurns(lists: readonly (readonly string[])[]): readonly string[] {
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  const members = Array.from({ length: turns }, (_, turn) => lists.map((list) => list[turn]));
  return [...new Set(members.flat())].filter((member) => member !== undefined);
}

function isBesideCode(test: string): boolean {
  return /^(lib|cli)\//.test(test);
}
