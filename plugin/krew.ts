/**
 * A task that prints krew's manifest for a release, from the archives of its platforms.
 *
 * ```sh
 * deno task krew --repository=owner/name --archives=dist > dist/xca.yaml
 * ```
 *
 * @module
 */
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import manifest from "../deno.json" with { type: "json" };
import { type Platform, PLATFORMS } from "./compile.ts";
import { print, runTask } from "./task.ts";

/** The parameters of {@linkcode krewManifest}, which generates the plugin's manifest for krew. */
export interface KrewManifestInit {
  /** The repository whose release has the plugin's archives, such as `owner/name`. */
  readonly repository: string;
  /** The version of the plugin's release, without `v`. */
  readonly version: string;
  /** Returns the SHA-256 of a platform's archive in the release, in hex. */
  readonly sha256: (platform: Platform) => string;
}

/** Returns the file name that the plugin's archive for a platform has in a release. */
export function archiveName({ os, arch }: Platform): string {
  return `kubectl-xca-${os}-${arch}.tar.gz`;
}

/**
 * Returns krew's manifest of a release: the template `krew.yaml` without its comments, with all
 * placeholders replaced, and with an entry for each of the {@linkcode PLATFORMS}.
 */
export function krewManifest({ repository, version, sha256 }: KrewManifestInit): string {
  const template = Deno.readTextFileSync(new URL("krew.yaml", import.meta.url));
  const head = template.replaceAll("@VERSION@", version).replaceAll("@REPOSITORY@", repository);
  const base = `https://github.com/${repository}/releases/download/v${version}`;
  const entries = PLATFORMS.map((platform) => {
    const binary = platform.os === "windows" ? "kubectl-xca.exe" : "kubectl-xca";
    return `  - selector:
      matchLabels:
        os: ${platform.os}
        arch: ${platform.arch}
    uri: ${base}/${archiveName(platform)}
    sha256: "${sha256(platform)}"
    files:
    - from: ${binary}
      to: .
    - from: LICENSE
      to: .
    bin: ${binary}
`;
  });
  return head.replace(/^#.*\n/gm, "") + entries.join("");
}

function main(): void {
  const { repository, archives } = parseArgs({
    args: Deno.args,
    options: { repository: { type: "string" }, archives: { type: "string", default: "dist" } },
  }).values;
  if (!repository) throw new Error("Cannot write krew's manifest without --repository=owner/name");
  const text = krewManifest({
    repository,
    version: manifest.version,
    sha256: (platform) =>
      createHash("sha256").update(Deno.readFileSync(`${archives}/${archiveName(platform)}`))
        .digest("hex"),
  });
  print(text);
}

if (import.meta.main) await runTask(main);
