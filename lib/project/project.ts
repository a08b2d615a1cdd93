import { markClass } from "@xca/apimachinery/internal/base";
import { dirname, join, resolve } from "node:path";
import { errorText, type Host } from "@xca/apimachinery/base";
import { isDnsLabel } from "@xca/apimachinery/meta";

/** The name of the file that marks the root folder of a project. */
export const PROJECT_FILE = "xca.json";

/**
 * The content of a project's file `xca.json`: the settings that do not follow from the project's
 * code.
 *
 * All other facts follow from the operator that the project's module exports, so that the file is
 * short, and may be edited by hand.
 */
export interface ProjectSettings {
  /**
   * The name of the operator's Deployment, ServiceAccount and other objects: a DNS label of at most
   * 40 characters that begins with a letter.
   */
  readonly name: string;
  /**
   * The domain of the project's API groups, such as `example.org`: the group `shop` is
   * `shop.example.org`.
   */
  readonly domain: string;
  /** The namespace that the operator runs in. @default the name with `-system` */
  readonly namespace: string;
  /** The image of the operator, with its tag or digest. @default the name with `:latest` */
  readonly image: string;
  /**
   * The path of the module whose default export is the operator, relative to the project's folder.
   *
   * @default {"operator.ts"}
   */
  readonly operator: string;
  /**
   * The path of the program of the operator's image, relative to the project's folder.
   *
   * @default {"main.ts"}
   */
  readonly program: string;
}

/** A project: a folder with `xca.json`, `deno.json` and the modules of an operator. */
export interface Project extends ProjectSettings {
  /** The absolute path of the project's folder. */
  readonly folder: string;
}

/**
 * The error of a command on a project: no project, an invalid `xca.json`, an invalid name, or a
 * file that would be lost. The message is one line.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseProject, ProjectError } from "@xca/operator/project";
 *
 * assert.throws(() => parseProject("{}", "xca.json"), ProjectError);
 * ```
 */
export class ProjectError extends Error {
  /** The name of the error class, `ProjectError`. */
  override readonly name: string = "ProjectError";

  static {
    markClass(this, Symbol.for("@xca/operator/ProjectError"));
  }
}

/**
 * Returns the project that a folder belongs to: the nearest folder, from the given folder upwards,
 * with a file `xca.json`.
 *
 * @throws {ProjectError} When no folder has the file, or the file cannot be read or has an invalid
 * field.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findProject } from "@xca/operator/project";
 *
 * const readFile = (path: string): Promise<Uint8Array> =>
 *   path === "/work/shop/xca.json"
 *     ? Promise.resolve(new TextEncoder().encode('{ "name": "shop", "domain": "example.org" }'))
 *     : Promise.reject(new Deno.errors.NotFound());
 * const { folder, namespace } = await findProject("/work/shop/controllers", { readFile });
 * assert.deepEqual([folder, namespace], ["/work/shop", "shop-system"]);
 * ```
 */
export async function findProject(from: string, host: Pick<Host, "readFile">): Promise<Project> {
  const start = resolve(from);
  for (let folder = start;; folder = dirname(folder)) {
    const text = await textOf(join(folder, PROJECT_FILE), host);
    if (text !== undefined) return { folder, ...parseProject(text, join(folder, PROJECT_FILE)) };
    if (dirname(folder) === folder) break;
  }
  throw new ProjectError(
    `${start} is not in a project: no ${PROJECT_FILE} there or above; ` +
      "go to a project's folder, or make one: kubectl xca init FOLDER",
  );
}

/**
 * Returns the settings in the text of a file `xca.json`, with the defaults of fields that are
 * absent or `null`. The field `$schema` is ignored.
 *
 * @param path The path of the file, for messages.
 * @throws {ProjectError} When the text is not a JSON object, or a field is missing, unknown, or
 * invalid.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseProject } from "@xca/operator/project";
 *
 * const { program } = parseProject('{ "name": "shop", "domain": "example.org" }', "xca.json");
 * assert.equal(program, "main.ts");
 * assert.throws(() => parseProject('{ "name": "Shop" }', "xca.json"), /xca.json: name "Shop"/);
 * ```
 */
export function parseProject(text: string, path: string): ProjectSettings {
  const fields = objectOf(text, path);
  const unknown = Object.keys(fields).find((name) =>
    name !== "$schema" && !Object.hasOwn(CHECKS, name)
  );
  if (unknown !== undefined) {
    throw new ProjectError(
      `${path}: unknown field ${JSON.stringify(unknown)}; known are ${
        Object.keys(CHECKS).join(", ")
      }`,
    );
  }
  const valueOf = (name: keyof ProjectSettings, byDefault?: string): string => {
    const value = fields[name] ?? byDefault;
    if (value === undefined) throw new ProjectError(`${path}: the field ${name} is missing`);
    const problem = typeof value === "string" ? CHECKS[name](value) : "must be a text";
    if (problem === undefined) return value as string;
    throw new ProjectError(`${path}: ${name} ${JSON.stringify(value)} ${problem}`);
  };
  const name = valueOf("name");
  return {
    name,
    domain: valueOf("domain"),
    namespace: valueOf("namespace", `${name}-system`),
    image: valueOf("image", `${name}:latest`),
    operator: valueOf("operator", "operator.ts"),
    program: valueOf("program", "main.ts"),
  };
}

/**
 * Returns the problem of a setting's value in `xca.json`, as a text such as `must be a domain` that
 * follows the value in a message; `undefined` when the value is valid.
 */
export function settingProblem(name: keyof ProjectSettings, value: string): string | undefined {
  return CHECKS[name](value);
}

/**
 * The largest number of characters of a project's name: the names of its Services and of its
 * default namespace append a suffix, and must be DNS labels.
 */
const MAX_NAME = 40;
const IMAGE =
  /^[a-z0-9]+([._-]+[a-z0-9]+)*(:[0-9]+)?(\/[a-z0-9]+([._-]+[a-z0-9]+)*)*(:[\w][\w.-]{0,127})?(@sha256:[0-9a-f]{64})?$/;

const CHECKS: Readonly<
  Record<keyof ProjectSettings, (value: string) => string | undefined>
> = {
  name: (value) =>
    isDnsLabel(value) && /^[a-z]/.test(value) && value.length <= MAX_NAME
      ? undefined
      : `must be at most ${MAX_NAME} lower-case letters, digits and dashes, beginning with a letter, such as shop-operator`,
  domain: domainProblem,
  namespace: (value) => isDnsLabel(value) ? undefined : "must be a namespace, such as shop-system",
  image: (value) =>
    IMAGE.test(value) && value.length <= 512
      ? undefined
      : "must be the name of an image, such as registry.example.org/shop:1.0.0",
  operator: moduleProblem,
  program: moduleProblem,
};

function domainProblem(value: string): string | undefined {
  const parts = value.split(".");
  return value.length <= 200 && parts.length >= 2 && parts.every(isDnsLabel)
    ? undefined
    : "must be a domain of lower-case letters with a dot, such as example.org";
}

function moduleProblem(value: string): string | undefined {
  const parts = value.replace(/^\.\//, "").split("/");
  const isBelow = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return isBelow && /\.(m?ts|m?js)$/.test(value) && !/[\\:]/.test(value)
    ? undefined
    : "must be a TypeScript or JavaScript file of the project's folder, such as operator.ts";
}

function objectOf(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ProjectError(`${path} is not JSON: ${errorText(error)}`, { cause: error });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new ProjectError(
    `${path} must be a JSON object, such as { "name": "shop", "domain": "..." }`,
  );
}

async function textOf(
  path: string,
  host: Pick<Host, "readFile">,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await host.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw new ProjectError(`cannot read ${path}: ${errorText(error)}`, { cause: error });
  }
}
