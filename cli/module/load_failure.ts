import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { errorText } from "@xca/apimachinery/base";
import { shellWord } from "../arguments.ts";
import { moduleUrl } from "./module_url.ts";
import { placeInModule } from "./place_in_module.ts";

/**
 * The form in which this program was started (sources, bundle or binary), which determines the
 * package names that a module can import.
 */
export type Launch = "sources" | "bundle" | "binary";

/** The form in which the kubectl plugin was started: sources, bundle or binary. */
export const LAUNCH: Launch = Deno.build.standalone
  ? "binary"
  : import.meta.url.endsWith(".ts")
  ? "sources"
  : "bundle";

/**
 * Returns in one line the reason why a user's module did not load, with the remedy where it is
 * known.
 */
export function loadFailure(error: unknown, specifier: string, launch: Launch = LAUNCH): string {
  const text = withoutAdvice(errorText(error)) || `it throws ${error}`;
  const [, folder] = /Directory import '([^']+)' is not supported/.exec(text) ?? [];
  if (folder !== undefined) return folderImported(folder, specifier);
  const place = placeInModule(error, specifier);
  const said = place === undefined ? text : `${text} (at ${place})`;
  const remedy = remedyOf(text, specifier, launch);
  return remedy === undefined ? said : `${said}; ${remedy}`;
}

function folderImported(url: string, specifier: string): string {
  const name = (each: string): string => each.replace(/\/$/, "");
  return name(url) === name(moduleUrl(specifier))
    ? "it is a folder: give the file in it that exports the operator, such as ./operator.ts"
    : `it imports the folder ${fileURLToPath(url)}: import a file in it`;
}

/**
 * Removes the advice of the Deno runtime from an error message, since it names flags and commands
 * of Deno and not of this command.
 */
function withoutAdvice(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;]*m/g, "")
    .replace(/ hint: .*?(?= at (?:file|https?):|$)/, "")
    .replace(/, (?:run again with|specify) .*?(?= at (?:file|https?):|$)/, "")
    .replace(/(The lockfile is out of date)\. .*$/s, "$1");
}

function remedyOf(text: string, specifier: string, launch: Launch): string | undefined {
  const [, name] = /^Import "([^"]+)" not a dependency/.exec(text) ??
    /^Relative import path "([^"]+)" not prefixed with/.exec(text) ?? [];
  if (name !== undefined) return nameRemedy(name, specifier, launch);
  if (/^Requires import access/.test(text)) {
    return "kubectl xca takes modules of this host from files alone: save it as one, and import that";
  }
  if (/^Requires \w+ access/.test(text)) {
    return "kubectl xca run does not give that to a module: start it from a program of your own, " +
      "which calls runOperator(), by deno run";
  }
  if (text.includes("The lockfile is out of date")) {
    return `kubectl xca does not write the file: update it by deno cache ${shellWord(specifier)}`;
  }
  return undefined;
}

/**
 * The example in messages for the entries of a project's `deno.json` by which imports of
 * `@xca/operator` resolve to a clone, while no registry has the package.
 */
const OWN_NAME = '{ "links": ["/path/to/clone"], ' +
  '"imports": { "@xca/operator": "jsr:@xca/operator@^0.1.0" } }';

/**
 * Returns the remedy for a user's module whose import of a package name does not resolve, for
 * example to name the package in `deno.json`.
 */
function nameRemedy(name: string, specifier: string, launch: Launch): string {
  const url = moduleUrl(specifier);
  if (!url.startsWith("file:")) return "bundle it into one file first, and run that";
  const path = fileURLToPath(url);
  const own = configAbove(dirname(path));
  const config = own ?? join(dirname(path), "deno.json");
  const folder = dirname(config);
  const isNamed = own !== undefined && mentions(own, name);
  const entry = name.startsWith("@xca/operator") ? `, as ${OWN_NAME}` : "";
  const naming = isNamed ? [] : [`name it in ${config}${entry}`];
  if (launch === "bundle") {
    const isInForce = (configAbove(Deno.cwd()) ?? join(Deno.cwd(), "deno.json")) === config;
    const going = `call this in the folder of that file: cd ${shellWord(folder)}`;
    const steps = isInForce ? naming : [...naming, going];
    return steps.join(", and ") || `is its entry in ${config} right?`;
  }
  const bundling = `${folder === Deno.cwd() ? "" : `cd ${shellWord(folder)} && `}` +
    `deno bundle --platform=deno -o operator.js ${shellWord(relative(folder, path))}`;
  return `${ONLY_OWN_NAMES[launch]}: ` +
    [...naming, `bundle the module, and run operator.js: ${bundling}`].join(", ");
}

const ONLY_OWN_NAMES: Readonly<Record<Exclude<Launch, "bundle">, string>> = {
  binary: "a compiled plugin knows no import map",
  sources: "a plugin that runs from its sources knows the names of their deno.json alone",
};

/**
 * Returns the path of the Deno configuration in a folder or the nearest folder above; `undefined`
 * for none.
 */
function configAbove(folder: string): string | undefined {
  for (let at = folder;; at = dirname(at)) {
    for (const name of ["deno.json", "deno.jsonc"]) {
      if (isFile(join(at, name))) return join(at, name);
    }
    if (dirname(at) === at) return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/**
 * Reports whether a Deno configuration contains the package name with which an import begins:
 * `@scope/name` of `@scope/name/path`.
 */
function mentions(config: string, name: string): boolean {
  const [scope, rest] = name.split("/");
  const known = scope!.startsWith("@") && rest !== undefined ? `${scope}/${rest}` : scope!;
  return Deno.readTextFileSync(config).includes(`"${known}`);
}
