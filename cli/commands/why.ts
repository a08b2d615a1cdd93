import { Command } from "@commander-js/extra-typings";
import { isDnsLabel } from "@xca/apimachinery/meta";
import type { GlobalFlags } from "../global_flags.ts";
import { UsageError } from "../usage_error.ts";

/** The flags of the command `kubectl xca why`. */
export interface WhyFlags extends GlobalFlags {
  readonly url?: string | undefined;
  readonly lease?: string | undefined;
  readonly selector?: string | undefined;
  readonly operatorNamespace?: string | undefined;
  readonly port?: number | undefined;
  readonly plainHttp?: boolean | undefined;
  readonly serviceAccount?: string | undefined;
}

/** The default port of an operator's metrics server, as kubebuilder sets it. */
export const METRICS_PORT = 8_443;

/**
 * Returns the command `kubectl xca why`, which explains why an object is not reconciled. The caller
 * adds the action.
 */
export function whyCommand(): Command<[string]> {
  return new Command("why")
    .summary("explain why an object is not being reconciled")
    .description(
      "Explain in one sentence why an operator does not reconcile an object, or that it has, and name\n" +
        "the next command. Asks the endpoint /debug of the operator's metrics server: at --url, or in\n" +
        "the operator's pod, found by its Lease or its labels, through a port-forward.\n\n" +
        "Exits with 0 when the object has been reconciled and nothing is left to do, 1 otherwise,\n" +
        "2 when the command line or the configuration is wrong, 3 when cluster or operator do not answer.",
    )
    .argument("<object>", "the object, in the form KIND/NAME")
    .option(
      "--url <url>",
      "the metrics server of the operator, such as https://localhost:8443",
      parseUrl,
    )
    .option("--lease <name>", "the Lease of the operator; its holder is asked")
    .option(
      "-l, --selector <selector>",
      "the labels of the operator's pods; the one that leads is asked",
    )
    .option(
      "--operator-namespace <namespace>",
      "the namespace of the operator's Lease and pods, instead of the object's",
      parseNamespace,
    )
    .option(
      "--port <port>",
      `the port of the metrics server in the pod (default: ${METRICS_PORT})`,
      parsePort,
    )
    .option("--plain-http", "the metrics server in the pod serves without TLS")
    .option(
      "--service-account <name>",
      "ask with a token of this service account of the operator's namespace, which may get /debug",
      parseNamespace,
    )
    .addHelpText("after", EXAMPLES) as unknown as Command<[string]>;
}

const EXAMPLES = `
Examples:
  # Why the Xca object mars is not reconciled, by the leader of the Lease xca
  kubectl xca why xca/mars --lease xca --operator-namespace operators --service-account reader

  # The same of an operator on this machine
  kubectl xca why xca/mars --url http://localhost:8080`;

/**
 * Checks the flags of the command `kubectl xca why`.
 *
 * @throws {UsageError} When no flag says where the operator is, or two flags contradict each other.
 */
export function checkWhyFlags({ url, lease, selector, port, plainHttp }: WhyFlags): void {
  const ofPod = {
    "--lease": lease,
    "--selector": selector,
    "--port": port,
    "--plain-http": plainHttp,
  };
  const [given] = Object.entries(ofPod).filter(([, value]) => value !== undefined);
  if (url !== undefined && given) {
    throw new UsageError(`--url and ${given[0]} cannot go together: leave out one of them`);
  }
  if (url === undefined && lease === undefined && selector === undefined) {
    throw new UsageError(
      "nothing says where the operator is: give --lease NAME or -l SELECTOR of its pods, or --url URL",
    );
  }
}

function parseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const fits = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && url.search === "" &&
    url.username === "";
  if (fits) return url.origin;
  throw new UsageError(
    `--url must be the address of a server, such as https://localhost:8443, is ${
      JSON.stringify(value)
    }`,
  );
}

function parsePort(value: string): number {
  const port = Number(value);
  if (/^[1-9][0-9]*$/.test(value) && port <= 65_535) return port;
  throw new UsageError(`--port must be a number from 1 to 65535, is ${JSON.stringify(value)}`);
}

function parseNamespace(value: string): string {
  if (isDnsLabel(value)) return value;
  throw new UsageError(`${JSON.stringify(value)} cannot be a namespace or a name`);
}
