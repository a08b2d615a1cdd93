/**
 * A regular expression that matches a literal `import()` of a file of the bundle, which the runtime
 * loads at the start; the group is the path of the file.
 */
const FILE = /\bimport\("(\.\/[\w-]+\.js)"\)/g;
/**
 * A regular expression that matches the imports of `node:fs` and `node:child_process` by commander,
 * which needs them only for features that the command line does not use; these modules are then
 * loaded on demand. The groups are the imported name and the module.
 */
const UNUSED = /\bimport ([\w$]+) from ?"(node:(?:fs|child_process))";/g;
/**
 * A regular expression that matches the code that the bundler inserts before CommonJS packages in
 * the plugin's bundle. The groups are the local names of `createRequire` and of the `require`
 * function.
 */
const REQUIRE =
  /\bimport ?\{ ?createRequire as ([\w$]+) ?\} from ?"node:module";\s*var ([\w$]+) ?= ?\1\(import\.meta\.url\);/g;

/**
 * Returns the text of a bundled file, rewritten so that the file loads modules only when they are
 * used, which saves a seventh of the CPU time of a cold start.
 *
 * - Deno loads every file that a literal `import()` names before a program starts. A specifier that
 *   is not a literal is loaded when it is reached.
 * - commander imports `node:fs` and `node:child_process` for commands that are separate programs.
 * - `createRequire` is for the CommonJS packages of the bundle, which are loaded on demand.
 */
export function onDemand(text: string): string {
  const found = text.replace(FILE, (_, file) => `__load("${file}")`);
  const own = found === text ? "" : "\nfunction __load(file){return import(file)}";
  return found
    .replace(UNUSED, (_, name, builtin) => `const ${name}=${lazily(builtin)};`)
    .replace(REQUIRE, (_, _create, name) => `const ${name}=${REQUIRING};`) + own;
}

const REQUIRING =
  `(id)=>process.getBuiltinModule("node:module").createRequire(import.meta.url)(id)`;

/**
 * Returns the code of an object that replaces a builtin module, and loads the builtin module at the
 * first access.
 */
function lazily(builtin: string): string {
  return `new Proxy({},{get:(_,key)=>process.getBuiltinModule("${builtin}")[key]})`;
}
