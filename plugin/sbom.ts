/**
 * A task that prints a software bill of materials in CycloneDX 1.6: every npm package that the lock
 * file pins, with its version and checksum. The lock file pins what the packages and the plugin
 * contain; it does not pin `@kubernetes/client-node`, which Deno fetches for a kubeconfig with a
 * legacy login.
 *
 * ```sh
 * deno task sbom > sbom.cdx.json
 * ```
 *
 * @module
 */
import { createHash } from "node:crypto";
import manifest from "../deno.json" with { type: "json" };

/** The fields of `deno.lock` that the bill of materials uses. */
interface LockFile {
  readonly npm?: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** An npm package in the bill of materials (a CycloneDX component). */
export interface Component {
  /** The CycloneDX type of the npm package. */
  readonly type: "library";
  /** The name of the npm package in the registry. */
  readonly name: string;
  /** The exact version of the npm package. */
  readonly version: string;
  /** The package URL (purl) of the npm package. */
  readonly purl: string;
  /** The SHA-512 checksum of the npm package's archive, in hexadecimal, as the only entry. */
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
}

/**
 * Returns the npm packages that a lock file pins, in the order of the lock file.
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

/**
 * Returns a serial number of the bill of materials, derived from its content (a UUID of version 8,
 * RFC 9562).
 */
function serialNumber(content: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(content)).digest();
  hash[6] = hash[6]! & 0x0f | 0x80;
  hash[8] = hash[8]! & 0x3f | 0x80;
  const hex = hash.subarray(0, 16).toString("hex");
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")}`;
}

/**
 * Returns the whole bill of materials of a lock file, as a CycloneDX document. The document has a
 * serial number, without which GitHub does not attest it.
 */
export function sbom(lock: LockFile): Record<string, unknown> {
  const listed = components(lock);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: serialNumber([manifest.name, manifest.version, listed]),
    version: 1,
    metadata: {
      component: {
        type: "library",
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: listed,
  };
}

if (import.meta.main) {
  const lock = JSON.parse(Deno.readTextFileSync(new URL("../deno.lock", import.meta.url)));
  const text = `${JSON.stringify(sbom(lock), null, 2)}\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
