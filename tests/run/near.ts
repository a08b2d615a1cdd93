/**
 * The tests of a change, in the order in which they are worth running. Imports alone do not tell: the
 * entry point of a folder imports all of its files, so most tests of the client reach most of its files
 * in two steps. Of these, the tests with the names of the changed file and its folders come first.
 *
 * @module
 */

/** The number of test files that run in seconds. */
export const NEAR = 24;

/** The number of imports that a name in common outweighs. */
const STEPS_PER_NAME = 2;

/** Parts of paths that do not tell one test from another. */
const COMMON_NAMES = ["", "lib", "mod", "test", "tests", "ts"];

/** Tests that read files instead of importing them. */
const READERS: readonly { readonly files: RegExp; readonly tests: RegExp }[] = [
  // Links, commands and prose.
  { files: /\.md$/, tests: /^tests\/documents\// },
  // The snapshot of public names.
  {
    files: /^mod\.ts$|^lib\/(.+\/)?(mod|doors\/.+)\.ts$/,
    tests: /^tests\/packaging\/exports_test/,
  },
  // Entry points, packages and dependencies.
  { files: /(^|\/)deno\.(json|lock)$/, tests: /^tests\/(layers|packaging\/exports)_test/ },
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
 * Returns the test files that changed files can reach. Changed files take turns in naming their nearest
 * test, and each has at least one among the near ones.
 *
 * @param changed The paths of the changed files.
 * @param tests The paths of all test files.
 * @param importers The imports of the repository, backwards.
 */
export function testsOf(
  changed: readonly string[],
  tests: readonly string[],
  importers: Importers,
): ChangedTests {
  const lists = changed.map((path) => testsByNearness(path, tests, importers));
  const turns = Math.max(0, ...lists.map(({ length }) => length));
  const order = new Set<string>();
  for (let turn = 0; turn < turns; turn++) {
    for (const list of lists) if (turn < list.length) order.add(list[turn]!);
  }
  const count = Math.max(NEAR, lists.length);
  return { near: [...order].slice(0, count), further: [...order].slice(count) };
}

/** Returns the test files that a changed file can reach, the nearest first. */
function testsByNearness(
  path: string,
  tests: readonly string[],
  importers: Importers,
): readonly string[] {
  const names = namesIn(path);
  const sharedNames = (test: string) => namesIn(test).intersection(names).size;
  const steps = stepsTo(path, importers);
  const distance = (test: string) => steps.get(test)! - STEPS_PER_NAME * sharedNames(test);
  const found = [
    ...READERS.filter(({ files }) => files.test(path))
      .flatMap((reader) => tests.filter((test) => reader.tests.test(test))),
    ...tests.filter((test) => steps.has(test)).sort((a, b) => distance(a) - distance(b)),
  ];
  if (found.length > 0) return found;
  // A record, a page of facts or a program: no import leads to it, only its name.
  const most = Math.max(1, ...tests.map(sharedNames));
  return tests.filter((test) => sharedNames(test) === most);
}

/** Returns the words of a path that tell it from others. */
function namesIn(path: string): ReadonlySet<string> {
  return new Set(path.split(/[/_.]/).filter((name) => !COMMON_NAMES.includes(name)));
}

/** Returns the files that a file can reach, with the number of imports between. */
function stepsTo(path: string, importers: Importers): ReadonlyMap<string, number> {
  const steps = new Map([[path, 0]]);
  // Entries that are added while the map is iterated are visited too.
  for (const [file, count] of steps) {
    for (const importer of importers.get(file) ?? []) {
      if (!steps.has(importer)) steps.set(importer, count + 1);
    }
  }
  return steps;
}
