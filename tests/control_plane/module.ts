/**
 * The Go module that builds a control plane: which commands, from which versions.
 *
 * @module
 */
import { join } from "node:path";

/** A program and the Go package that is its `main`. */
export interface Program {
  /** The file name of the program. */
  readonly name: string;
  /** The Go package. */
  readonly pkg: string;
  /** The version of the package, for one of a module of its own. */
  readonly version?: string;
}

/** The programs of every control plane. */
export const PROGRAMS: readonly Program[] = [
  { name: "etcd", pkg: "go.etcd.io/etcd/server/v3" },
  { name: "kube-apiserver", pkg: "k8s.io/kubernetes/cmd/kube-apiserver" },
];

/** Built on request. */
export const CONTROLLER_MANAGER: Program = {
  name: "kube-controller-manager",
  pkg: "k8s.io/kubernetes/cmd/kube-controller-manager",
};

/** Built for a cluster. Its package needs no module beyond those of kube-apiserver. */
export const SCHEDULER: Program = {
  name: "kube-scheduler",
  pkg: "k8s.io/kubernetes/cmd/kube-scheduler",
};

/** Built for a cluster: pretends to be the kubelet of every node. */
export const KWOK: Program = {
  name: "kwok",
  pkg: "sigs.k8s.io/kwok/cmd/kwok",
  version: "v0.7.0",
};

/** The Kubernetes release that a `go.mod` of ours requires. */
export function releaseOf(goMod: string): string {
  const release = /^\s*(?:require )?k8s\.io\/kubernetes (v\S+)/m.exec(goMod)?.[1];
  if (!release) throw new Error("Cannot tell the Kubernetes release: go.mod requires none");
  return release;
}

/**
 * Writes our `go.mod` for a release, given the `go.mod` of k8s.io/kubernetes itself. That one
 * requires its staging modules at v0.0.0, which exist in its own tree alone; their published
 * versions are v0.X.Y for v1.X.Y.
 */
export function goModFor(release: string, upstream: string): string {
  const goVersion = /^go (\S+)$/m.exec(upstream)?.[1];
  const etcd = /^\s*go\.etcd\.io\/etcd\/client\/v3 (v\S+)/m.exec(upstream)?.[1];
  const staging = [...upstream.matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0$/gm)].map((match) =>
    match[1]!
  );
  if (!goVersion || !etcd || staging.length === 0 || !release.startsWith("v1.")) {
    throw new Error(`Cannot make a go.mod for Kubernetes ${release}: its own has another shape`);
  }
  const published = release.replace("v1.", "v0.");
  const packages = [...PROGRAMS, CONTROLLER_MANAGER].map((program) => program.pkg).sort();
  return `// The control plane that the tests run on: etcd and kube-apiserver, built from their published
// Go modules. k8s.io/kubernetes requires its staging modules at v0.0.0, from its own tree; whoever
// depends on it has to name their published versions. Written by build.ts --pin.
module xca.invalid/tests/control_plane

go ${goVersion}

tool (
${packages.map((pkg) => `\t${pkg}\n`).join("")})

require (
\tgo.etcd.io/etcd/server/v3 ${etcd}
\tk8s.io/kubernetes ${release}
)

replace (
${staging.map((path) => `\t${path} => ${path} ${published}\n`).join("")})
`;
}

/** Linker flags: small, and the version that `/version` reports. */
export function linkerFlags(release: string): string {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(release) ?? [];
  const set = { gitVersion: release, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const flags = Object.entries(set).map(([name, value]) =>
    `-X k8s.io/component-base/version.${name}=${value}`
  );
  return ["-s", "-w", ...flags].join(" ");
}

/** Fetches the `go.mod` of k8s.io/kubernetes and writes ours, tidied, into `folder`. */
export async function writeModule(folder: string, release: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  const info = await go(
    folder,
    ["mod", "download", "-json", `k8s.io/kubernetes@${release}`],
    "piped",
  );
  const { GoMod } = JSON.parse(info) as { GoMod: string };
  const text = goModFor(release, await Deno.readTextFile(GoMod));
  await Deno.writeTextFile(join(folder, "go.mod"), text);
  await go(folder, ["mod", "tidy"]);
}

/**
 * Runs Go in a folder and returns its standard output when that is piped. `GOBIN` is the folder
 * too.
 *
 * @throws {Error} When Go is missing or fails; Go writes the reason to standard error.
 */
export async function go(
  folder: string,
  args: readonly string[],
  stdout: "piped" | "inherit" = "inherit",
): Promise<string> {
  const command = new Deno.Command("go", {
    args: [...args],
    cwd: folder,
    env: { CGO_ENABLED: "0", GOWORK: "off", GOBIN: folder },
    stdout,
    stderr: "inherit",
  });
  const output = await command.output().catch((cause: unknown) => {
    const why = cause instanceof Deno.errors.NotFound ? "`go` is not on PATH" : String(cause);
    throw new Error(
      `Cannot build the control plane: ${why}; install Go, or set KUBEBUILDER_ASSETS to a folder ` +
        "that holds etcd and kube-apiserver",
      { cause },
    );
  });
  if (!output.success) {
    throw new Error(`Cannot build the control plane: go ${args[0]} ended with ${output.code}`);
  }
  return stdout === "piped" ? new TextDecoder().decode(output.stdout) : "";
}
