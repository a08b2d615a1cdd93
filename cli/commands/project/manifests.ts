import { Command } from "@commander-js/extra-typings";
import { isDnsLabel } from "@xca/apimachinery/meta";
import { checkNamespace, type GlobalFlags } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";

/** The forms of the manifests that `kubectl xca manifests` generates, such as a Helm chart. */
export const MANIFEST_FORMATS = ["yaml", "kustomize", "helm", "olm"] as const;

/** A form of the manifests that `kubectl xca manifests` generates. */
export type ManifestFormat = typeof MANIFEST_FORMATS[number];

/** The possible issuers of a webhook server's certificate in generated manifests. */
export const CERTIFICATES = ["own", "cert-manager"] as const;

/**
 * The flags of all commands that generate manifests, including those that apply the manifests to a
 * cluster.
 */
export interface DeploymentFlags extends GlobalFlags {
  readonly image?: string | undefined;
  readonly systemNamespace?: string | undefined;
  readonly replicas?: number | undefined;
  readonly certificates?: typeof CERTIFICATES[number] | undefined;
  readonly serviceMonitor?: boolean | undefined;
}

/** The flags of `kubectl xca manifests`, `build-installer` and `bundle`. */
export interface ManifestsFlags extends DeploymentFlags {
  readonly format?: ManifestFormat | undefined;
  /**
   * The folder, or with `build-installer` the file, that the command writes the generated manifests
   * to; `undefined` for standard output with `manifests`, and for the default path with the others.
   */
  readonly output?: string | undefined;
  readonly check?: boolean | undefined;
  readonly force?: boolean | undefined;
  /**
   * The version of the generated Helm chart or OLM bundle; `undefined` for that in the image's tag,
   * or `0.0.1` if the tag is no semantic version.
   */
  readonly packageVersion?: string | undefined;
}

/**
 * The name and the description of the optional argument of commands such as `manifests`, `deploy`
 * and `rbac`: the folder of a project, or the module of an operator.
 */
export const PROJECT_ARGUMENT = [
  "[project]",
  "the folder of a project, or the module of an operator; without it, the current folder",
] as const;

/**
 * Returns the command `kubectl xca manifests`, which prints, writes or compares a project's
 * manifests. The caller adds the action.
 */
export function manifestsCommand(): Command<[string | undefined]> {
  const command = new Command("manifests")
    .summary("print or write the manifests of a project")
    .description(
      "Print the manifests that deploy an operator: definitions, RBAC, webhooks, Deployment,\n" +
        "PodDisruptionBudget, NetworkPolicy. With --output, write them into a folder: files that were\n" +
        "edited by hand are not replaced without --force. No cluster is asked.",
    )
    .argument(...PROJECT_ARGUMENT)
    .option(
      "--format <format>",
      `the form: ${MANIFEST_FORMATS.join(", ")} (default: yaml)`,
      parseFormat,
    )
    .option("--output <folder>", "the folder to write; without it, YAML on standard output")
    .option("--check", "write nothing; 1 when the files of --output differ, which are named")
    .option("--force", "replace files that were edited or written by hand")
    .option("--package-version <version>", PACKAGE_VERSION, parseVersion);
  return addDeploymentFlags(command as unknown as Command)
    .addHelpText("after", MANIFESTS_EXAMPLES) as unknown as Command<[string | undefined]>;
}

const PACKAGE_VERSION = "the version of a chart or bundle, instead of the image's tag";

const MANIFESTS_EXAMPLES = `
Examples:
  # Apply them without further tools, or write a kustomization or a Helm chart
  kubectl xca manifests | kubectl apply --server-side -f -
  kubectl xca manifests --format kustomize --output config
  kubectl xca manifests --format helm --output chart

  # In CI: are the written manifests those of the code?
  kubectl xca manifests --output manifests --check`;

/**
 * Returns the command `kubectl xca build-installer`, which writes all manifests of a project as one
 * file. The caller adds the action.
 */
export function buildInstallerCommand(): Command<[string | undefined]> {
  const command = new Command("build-installer")
    .summary("write all manifests of a project as one file")
    .description(
      "Write all manifests of a project as one YAML file, which users apply with kubectl.",
    )
    .argument(...PROJECT_ARGUMENT)
    .option("--output <file>", "the file (default: dist/install.yaml of the project)")
    .option("--check", "write nothing; 1 when the file differs")
    .option("--force", "replace a file that was edited or written by hand");
  return addDeploymentFlags(command as unknown as Command) as unknown as Command<
    [string | undefined]
  >;
}

/**
 * Returns the command `kubectl xca bundle`, which writes a bundle for the Operator Lifecycle
 * Manager. The caller adds the action.
 */
export function bundleCommand(): Command<[string | undefined]> {
  const command = new Command("bundle")
    .summary("write a bundle for the Operator Lifecycle Manager")
    .description(
      "Write a bundle for the Operator Lifecycle Manager: a ClusterServiceVersion, the definitions,\n" +
        "annotations, the configuration of the scorecard, and a bundle.Dockerfile.",
    )
    .argument(...PROJECT_ARGUMENT)
    .option("--output <folder>", "the folder (default: bundle of the project)")
    .option("--check", "write nothing; 1 when files differ")
    .option("--force", "replace files that were edited or written by hand")
    .option("--package-version <version>", PACKAGE_VERSION, parseVersion);
  return addDeploymentFlags(command as unknown as Command) as unknown as Command<
    [string | undefined]
  >;
}

/**
 * Adds to a command the flags of an operator's deployment (image, namespace, replicas,
 * certificates, monitoring), and returns the command.
 */
export function addDeploymentFlags(command: Command): Command {
  return command
    .option("--image <image>", "the image of the operator, instead of that of xca.json")
    .option(
      "--system-namespace <namespace>",
      "the namespace that the operator runs in, instead of that of xca.json",
      parseLabel,
    )
    .option("--replicas <count>", "the number of replicas (default: 2)", parseReplicas)
    .option(
      "--certificates <issuer>",
      `who issues the certificate of webhooks: ${CERTIFICATES.join(" or ")} (default: own)`,
      parseCertificates,
    )
    .option("--service-monitor", "with a ServiceMonitor, for the Prometheus operator") as Command;
}

/**
 * Checks combinations of flags of commands that generate manifests.
 *
 * @throws {UsageError} When a flag is given without the flag that it depends on, flags contradict
 * each other, or the name of a namespace is invalid.
 */
export function checkManifestsFlags(flags: ManifestsFlags): void {
  for (const namespace of flags.namespaces ?? []) checkNamespace(namespace);
  const { format = "yaml", output, check, force, certificates } = flags;
  if (format === "olm" && certificates !== undefined) {
    throw new UsageError("--certificates: OLM issues the certificates of a bundle itself; omit it");
  }
  if (output !== undefined) return;
  if (check) throw new UsageError("--check compares a folder: name it with --output");
  if (force) throw new UsageError("--force is about files: name their folder with --output");
  if (format !== "yaml") {
    throw new UsageError(`--format ${format} makes several files: name their folder with --output`);
  }
}

function parseFormat(value: string): ManifestFormat {
  return oneOf("--format", MANIFEST_FORMATS, value);
}

function parseCertificates(value: string): typeof CERTIFICATES[number] {
  return oneOf("--certificates", CERTIFICATES, value);
}

function oneOf<T extends string>(flag: string, allowed: readonly T[], value: string): T {
  if ((allowed as readonly string[]).includes(value)) return value as T;
  throw new UsageError(`${flag} must be one of ${allowed.join(", ")}, is ${JSON.stringify(value)}`);
}

function parseLabel(value: string): string {
  if (isDnsLabel(value)) return value;
  throw new UsageError(
    `${
      JSON.stringify(value)
    } cannot be a namespace: use at most 63 lower-case letters, digits and dashes`,
  );
}

function parseReplicas(value: string): number {
  if (/^\d{1,3}$/.test(value)) return Number(value);
  throw new UsageError(`--replicas must be a number from 0 to 999, is ${JSON.stringify(value)}`);
}

function parseVersion(value: string): string {
  if (isSemanticVersion(value)) return value;
  throw new UsageError(
    `--package-version must be a version as 1.2.3 or 1.2.3-rc.1, is ${JSON.stringify(value)}`,
  );
}

/** Reports whether a text is a version of https://semver.org, without build metadata. */
export function isSemanticVersion(text: string): boolean {
  return /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(text);
}
