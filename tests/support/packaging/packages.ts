import apimachinery from "../../../lib/apimachinery/deno.json" with { type: "json" };
import apiserver from "../../../lib/apiserver/deno.json" with { type: "json" };
import operator from "../../../deno.json" with { type: "json" };

/** A package of the workspace. */
export interface Package {
  /** The name under which the package is published. */
  readonly name: string;
  readonly version: string;
  /** The folder from the root of the repository, with a slash at its end; empty for the root. */
  readonly folder: string;
  /**
   * The entry points: the name in an import, and the file relative to the root of the repository.
   */
  readonly doors: ReadonlyMap<string, string>;
}

function packageIn(
  folder: string,
  { name, version, exports }: { name: string; version: string; exports: Record<string, string> },
): Package {
  const doors = Object.entries(exports).map(([door, file]): [string, string] => [
    `${name}${door.slice(1)}`,
    `${folder}${file.replace("./", "")}`,
  ]);
  return { name, version, folder, doors: new Map(doors) };
}

/** The packages of the workspace. */
export const PACKAGES: readonly Package[] = [
  packageIn("", operator),
  packageIn("lib/apimachinery/", apimachinery),
  packageIn("lib/apiserver/", apiserver),
];

/** The public entry points; those below `internal/` are for the packages of the workspace alone. */
export const PUBLIC_DOORS: ReadonlyMap<string, string> = new Map(
  PACKAGES.flatMap(({ doors }) => [...doors]).filter(([door]) => !door.includes("/internal/")),
);
