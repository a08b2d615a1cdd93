import { posix, win32 } from "node:path";
import type { Host } from "@xca/apimachinery/base";
import { refused, shown, type Sourced, unreadable } from "./config_place.ts";
import { decodeBase64 } from "./pem.ts";

/** A certificate or key as PEM text, with the origin of the text. */
export interface Material {
  /** The PEM text of the certificate or key. */
  readonly text: string;
  /**
   * The kubeconfig field or flag that gave the PEM text, with the file that it names, for error
   * messages.
   */
  readonly place: string;
  /** The file that the PEM text was read from; absent when the text was given inline. */
  readonly path?: string;
}

/**
 * Returns the path of a configured file to open: a relative path starts at the folder of the
 * configuration file that contains it, and one of a flag is returned unchanged.
 */
export function resolvePath({ value, folder }: Sourced<string>, os: string): string {
  const path = os === "windows" ? win32 : posix;
  return folder === undefined || path.isAbsolute(value) ? value : path.join(folder, value);
}

/**
 * Returns the PEM text, with its origin, of a certificate or key that is configured inline as
 * base64, or as the path of a file; `undefined` when neither is given.
 *
 * @throws {ConfigError} When both are given, the inline text is not base64, or the file cannot be
 * read.
 */
export async function readMaterial(
  data: Sourced<string>,
  file: Sourced<string>,
  host: Host,
): Promise<Material | undefined> {
  if (data.value !== "" && file.value !== "") {
    throw refused(data.place, "the same is given as a file too", "remove one of the two");
  }
  if (data.value !== "") {
    const bytes = decodeBase64(data.value);
    if (!bytes) {
      throw refused(data.place, "it is not base64", "write what `base64 -w0 FILE` prints");
    }
    return { text: new TextDecoder().decode(bytes), place: data.place };
  }
  if (file.value === "") return undefined;
  const path = resolvePath(file, host.os);
  const place = `${file.place} (${shown(path)})`;
  try {
    return { text: new TextDecoder().decode(await host.readFile(path)), place, path };
  } catch (error) {
    throw unreadable(`${file.place}:`, path, error);
  }
}
