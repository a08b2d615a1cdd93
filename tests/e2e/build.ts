/**
 * Builds Kubernetes' own end-to-end suite from its Go module, into the cache folder of the control
 * plane. The first build takes minutes; one that is up to date is left alone.
 *
 * @module
 */
import { join } from "node:path";
import { controlPlaneCacheDir } from "../../lib/testing/plane/control_plane_assets.ts";
import { go, linkerFlags, releaseOf } from "../control_plane/module.ts";

const MODULE = import.meta.dirname!;

/**
 * Builds the suite where it is missing or out of date, and returns the path of its program.
 *
 * @throws {Error} When Go is missing or fails.
 */
export async function buildSuite(): Promise<string> {
  const goMod = await Deno.readTextFile(join(MODULE, "go.mod"));
  const release = releaseOf(goMod);
  const dir = controlPlaneCacheDir(release);
  await Deno.mkdir(dir, { recursive: true });
  const program = join(dir, "e2e.test");
  const stamp = await stampOf(goMod, release);
  if (await readOptional(`${program}.stamp`) === stamp) return program;
  const flags = ["-trimpath", "-buildvcs=false", "-ldflags", linkerFlags(release)];
  const fresh = `${program}.${Deno.pid}`;
  await go(MODULE, ["test", "-c", ...flags, "-o", fresh, "."]);
  await Deno.rename(fresh, program);
  await Deno.writeTextFile(`${program}.stamp`, stamp);
  return program;
}

/** Hashes the inputs of a build: modules, compiler, sources, flags. */
async function stampOf(goMod: string, release: string): Promise<string> {
  const parts = [
    await go(MODULE, ["version"], "piped"),
    goMod,
    await Deno.readTextFile(join(MODULE, "go.sum")),
    await Deno.readTextFile(join(MODULE, "e2e_test.go")),
    linkerFlags(release),
  ];
  const bytes = new TextEncoder().encode(parts.join("\n"));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function readOptional(path: string): Promise<string | undefined> {
  return await Deno.readTextFile(path).catch(() => undefined);
}
