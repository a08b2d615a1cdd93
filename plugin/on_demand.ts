/** A file of the bundle, by a literal `import()` that the runtime reads ahead of. */
const FILE = /\bimport\("(\.\/[\w-]+\.js)"\)/g;
/** Modules of Node's that a library imports for what the command line never does. */
const UNUSED = /\bimport ([\w$]+) from ?"(node:(?:fs|child_process))";/g;
/** What the bundler puts before the code of CommonJS packages. */
const REQUIRE =
  /\bimport ?\{ ?createRequire as ([\w$]+) ?\} from ?"node:module";\s*var ([\w$]+) ?= ?\1\(import\.meta\.url\);/g;

/**
 * Makes a bundled file load only what is used, and when it is used: a seventh of the CPU time of a cold
 * start.
 *
 * - Deno reads every file that a literal `import()` names before a program begins, whether it comes to
 *   that or not. A specifier that is not a literal, it reads when it comes to it.
 * - commander imports `node:fs` and `node:child_process` for commands that are programs of their own.
 * - `createRequire` is for the packages in CommonJS that are in the bundle, and loaded on demand.
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

/** Stands for a builtin module, and has its members. */
function lazily(builtin: string): string {
  return `new Proxy({},{get:(_,key)=>process.getBuiltinModule("${builtin}")[key]})`;
}
