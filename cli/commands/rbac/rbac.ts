import { Command } from "@commander-js/extra-typings";
import { isDnsLabel } from "@xca/apimachinery/meta";
import { checkNamespace, type GlobalFlags } from "../../global_flags.ts";
import { UsageError } from "../../usage_error.ts";
import { CERTIFICATES, PROJECT_ARGUMENT } from "../project/manifests.ts";

/** The output formats of `kubectl xca rbac -o`. */
export const RBAC_FORMATS = ["yaml", "json", "rules"] as const;

/** An output format of `kubectl xca rbac`. */
export type RbacFormat = typeof RBAC_FORMATS[number];

/** The flags of `kubectl xca rbac`. */
export interface RbacFlags extends GlobalFlags {
  readonly output?: RbacFormat | undefined;
  readonly name?: string | undefined;
  readonly systemNamespace?: string | undefined;
  readonly leaderElect?: boolean | undefined;
  readonly metrics?: boolean | undefined;
  readonly certificates?: typeof CERTIFICATES[number] | undefined;
  readonly userRoles?: boolean | undefined;
  readonly check?: boolean | undefined;
  readonly manifests?: string | undefined;
  readonly observed?: string | undefined;
  readonly observedUser?: string | undefined;
}

/**
 * Returns the definition of `kubectl xca rbac` for the command line parser, to which the caller
 * adds the action.
 */
export function rbacCommand(): Command<[string | undefined]> {
  return new Command("rbac")
    .summary("print or check the RBAC rules of an operator")
    .description(
      "Print the RBAC manifests of an operator, derived from what its controllers declare: for, owns,\n" +
        "watches and uses. With --check, compare the declarations with manifests, and with what a test\n" +
        "observed; 1 when something is lacking or not needed. No cluster is asked.",
    )
    .argument(...PROJECT_ARGUMENT)
    .option(
      "-o, --output <format>",
      `output format: ${RBAC_FORMATS.join(", ")}; rules are without names and bindings`,
      parseFormat,
    )
    .option("--name <name>", "the name of the objects, instead of the project's", parseName)
    .option(
      "--system-namespace <namespace>",
      "the namespace of the operator's pod, instead of the project's, or NAME-system",
      parseName,
    )
    .option("--no-leader-elect", "without the rules of an election")
    .option("--no-metrics", "without the rules of a metrics server")
    .option(
      "--certificates <issuer>",
      `the issuer of the webhooks' certificate: ${CERTIFICATES.join(", ")} (default: own)`,
      parseIssuer,
    )
    .option("--no-user-roles", "without ClusterRoles for viewers, editors and admins of the kinds")
    .option("--check", "compare with --manifests, --observed, or both")
    .option("--manifests <file>", "with --check: the YAML file of the manifests that are deployed")
    .option(
      "--observed <file>",
      "with --check: the file of a recording (recordAccess), or an audit log",
    )
    .option(
      "--observed-user <name>",
      "with an audit log: the user whose requests count, such as system:serviceaccount:NAMESPACE:NAME",
    )
    .addHelpText("after", EXAMPLES) as unknown as Command<[string | undefined]>;
}

const EXAMPLES = `
Examples:
  # The manifests of the project in this folder
  kubectl xca rbac

  # The manifests of an operator that watches all namespaces, or only two
  kubectl xca rbac ./operator.ts > rbac.yaml
  kubectl xca rbac ./operator.ts -n shop -n stock > rbac.yaml

  # In CI: are the deployed manifests those that the operator needs?
  kubectl xca rbac ./operator.ts --check --manifests rbac.yaml

  # Are the declarations those that the tests observed?
  kubectl xca rbac ./operator.ts --check --observed access.json`;

/**
 * Checks combinations of flags of `kubectl xca rbac`.
 *
 * @throws {UsageError} When `--check` has nothing to compare with, a flag is given without the flag
 * that it depends on, or the name of a namespace is invalid.
 */
export function checkRbacFlags(flags: RbacFlags): void {
  for (const namespace of flags.namespaces ?? []) checkNamespace(namespace);
  const { check, manifests, observed, observedUser } = flags;
  if (check && manifests === undefined && observed === undefined) {
    throw new UsageError("--check needs something to compare with: add --manifests or --observed");
  }
  const given = manifests !== undefined
    ? "--manifests"
    : observed !== undefined
    ? "--observed"
    : "";
  if (!check && given !== "") throw new UsageError(`${given} is for a comparison: add --check`);
  if (observedUser !== undefined && observed === undefined) {
    throw new UsageError("--observed-user is about an audit log: add --observed");
  }
}

function parseFormat(value: string): RbacFormat {
  const format = RBAC_FORMATS.find((known) => known === value);
  if (format) return format;
  throw new UsageError(
    `unknown output format ${JSON.stringify(value)}: allowed are ${RBAC_FORMATS.join(", ")}`,
  );
}

function parseIssuer(value: string): typeof CERTIFICATES[number] {
  const issuer = CERTIFICATES.find((known) => known === value);
  if (issuer) return issuer;
  throw new UsageError(
    `unknown issuer ${JSON.stringify(value)}: allowed are ${CERTIFICATES.join(", ")}`,
  );
}

function parseName(value: string): string {
  if (isDnsLabel(value)) return value;
  throw new UsageError(
    `${
      JSON.stringify(value)
    } cannot be a name: use at most 63 lower-case letters, digits and dashes`,
  );
}
