/**
 * Prints a bill of materials in CycloneDX 1.6: every npm package that the lock file pins, with its
 * version and checksum.
 *
 * ```sh
 * deno task sbom > sbom.cdx.json
 * ```
 *
 * @module
 */
import manifest from "../deno.json" with { type: "json" };

/** The part of `deno.lock` that is read here. */
interface LockFile {
  readonly npm?: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** One package of the bill. */
export interface Component {
  /** What CycloneDX calls it. */
  readonly type: "library";
  /** Its name in the registry. */
  readonly name: string;
  /** Its exact version. */
  readonly version: string;
  /** Where it comes from, as a package URL. */
  readonly purl: string;
  /** Its checksum. */
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
}

/**
 * Reads the packages that a lock file pins, sorted by name.
 *
 * @throws {TypeError} When an entry is not `name@version`, or has no SHA-512 checksum.
 */
export function components(lock: LockFile): Component[] {
  return Object.entries(lock.npm ?? {}).map(([id, { integrity }]) => {
    const [, name, version] = /^(@?[^@]+)@([^_]+)/.exec(id) ?? [];
    const [, base64] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
    if (!name || !version || !base64) throw new TypeError(`Cannot read lock file entry ${id}`);
    const content = Array.from(
      Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)),
      (byte) => byte.toString(16).padStart(2, "0"),
    ).join("");
    return {
      type: "library",
      name,
      version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      hashes: [{ alg: "SHA-512", content }],
    } satisfies Component;
  });
}

/** The whole bill. */
export function sbom(lock: LockFile): Record<string, unknown> {
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "library",
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: components(lock),
  };
}

if (import.meta.main) {
  const lock = JSON.parse(Deno.readTextFileSync(new URL("../deno.lock", import.meta.url)));
  const text = `${JSON.stringify(sbom(lock), null, 2)}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
