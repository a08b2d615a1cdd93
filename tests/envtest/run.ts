/**
 * Runs suites of controller-runtime, which start a control plane by `envtest`, on the embedded API
 * server, or with `--real` on kube-apiserver.
 *
 * ```sh
 * deno task test:controller-runtime
 * deno task test:controller-runtime --real
 * deno task test:controller-runtime pkg/cache pkg/client
 * ```
 *
 * @module
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findControlPlaneAssets } from "../../lib/testing/plane/control_plane_assets.ts";

const MODULE = "sigs.k8s.io/controller-runtime";
const SUITES = ["pkg/webhook/...", "pkg/manager/internal/integration"];
const PROGRAMS = { "kube-apiserver": "kube_apiserver.ts", etcd: "etcd.ts" };

/** A folder with programs of the names that `envtest` starts. */
async function standIns(): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "xca-envtest-" });
  const config = fileURLToPath(new URL("../../deno.json", import.meta.url));
  for (const [name, file] of Object.entries(PROGRAMS)) {
    const program = fileURLToPath(new URL(file, import.meta.url));
    const command = [Deno.execPath(), "run", "-A", "--no-check", "--config", config, program];
    const quoted = command.map((part) => `'${part.replaceAll("'", "'\\''")}'`).join(" ");
    await Deno.writeTextFile(join(folder, name), `#!/bin/sh\nexec ${quoted} "$@"\n`, {
      mode: 0o700,
    });
  }
  return folder;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { real: { type: "boolean", default: false } },
  });
  const folder = values.real ? dirname(findControlPlaneAssets().kubeApiserver) : await standIns();
  const suites = positionals.length > 0 ? positionals : SUITES;
  try {
    const { code } = await new Deno.Command("go", {
      args: [
        "test",
        "-count=1",
        "-v",
        "-timeout=20m",
        ...suites.map((name) => `${MODULE}/${name}`),
      ],
      cwd: import.meta.dirname!,
      env: { KUBEBUILDER_ASSETS: folder },
    }).spawn().status;
    return code;
  } finally {
    if (!values.real) await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) Deno.exit(await main());
