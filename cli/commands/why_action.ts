import { formatKey, isPathSegment, resourceType } from "@xca/apimachinery/meta";
import {
  AmbiguousResourceError,
  type Client,
  discoveryClient,
  isNotFound,
  NoMatchError,
  requestToken,
} from "../../lib/client/mod.ts";
import type { ControllerReport, KeyReport } from "../../lib/controller/mod.ts";
import { connect } from "../connect.ts";
import type { CliContext } from "../context.ts";
import { ExitCode } from "../exit_code.ts";
import { UsageError } from "../usage_error.ts";
import { type DebugReport, NoReportError, readReport, tokenOf } from "../why/debug_report.ts";
import { reportOfPod } from "../why/operator_pod.ts";
import { type ServerObject, verdict } from "../why/verdict.ts";
import { checkWhyFlags, METRICS_PORT, type WhyFlags } from "./why.ts";

/**
 * The kind and name in the argument of `kubectl xca why`, and the namespace of the client
 * configuration, which `-n` sets.
 */
interface Wanted {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/**
 * The `/debug` report of an operator, and the command that shows the operator's log; the result of
 * {@linkcode answerOf}.
 */
interface Answer {
  readonly report: DebugReport;
  readonly logs: string;
  /** The messages about pods of the operator that sent no report. */
  readonly failures: readonly string[];
  /**
   * The kind of the object as the report names it; as the user names it if the report lacks the
   * kind.
   */
  readonly kind: string;
}

/**
 * Runs `kubectl xca why`: prints why an object is not reconciled, or that it was, and the next
 * command. Returns exit code 0 if every controller of the object's kind has reconciled the object
 * and has nothing left to do; 1 otherwise, and when the operator sends no report.
 *
 * @throws {UsageError} When the argument is not `KIND/NAME`, or flags contradict each other.
 * @throws {UnreachableError} When the cluster or the operator's metrics server does not answer.
 */
export async function why(
  given: string,
  flags: WhyFlags,
  context: CliContext,
): Promise<ExitCode> {
  checkWhyFlags(flags);
  const [kind = "", name = "", ...rest] = given.split("/");
  if (kind === "" || rest.length > 0 || !isPathSegment(name)) {
    throw new UsageError(
      `${JSON.stringify(given)} names no object: give KIND/NAME, such as xca/mars`,
    );
  }
  await using connection = await connect(flags, context);
  const { client, config } = connection;
  const namespace = config.namespace ?? "default";
  const token = await tokenFor(client, flags, namespace) ?? await tokenOf(config, context);
  try {
    const wanted = { kind, name, namespace };
    const answer = await answerOf(client, wanted, flags, token, context);
    const { report, logs, failures, kind: known } = answer;
    for (const failure of failures) context.err(`warning: ${failure}\n`);
    return await explain(client, report, { ...wanted, kind: known }, logs, context);
  } catch (error) {
    if (!(error instanceof NoReportError)) throw error;
    context.err(`error: ${error.message}\n`);
    return ExitCode.notSo;
  }
}

async function tokenFor(
  client: Client,
  { serviceAccount, operatorNamespace }: WhyFlags,
  namespace: string,
): Promise<string | undefined> {
  if (serviceAccount === undefined) return undefined;
  const key = formatKey({ namespace: operatorNamespace ?? namespace, name: serviceAccount });
  return (await requestToken(client, key)).token;
}

/**
 * Reads the operator's report on an object. When the report shows that the resource is
 * cluster-scoped, the operator is asked again with a key without namespace.
 */
async function answerOf(
  client: Client,
  wanted: Wanted,
  flags: WhyFlags,
  token: string | undefined,
  context: CliContext,
): Promise<Answer> {
  const ask = async (key: string): Promise<Omit<Answer, "kind">> => {
    if (flags.url !== undefined) {
      const report = await readReport({ url: flags.url, token }, key, context);
      return { report, failures: [], logs: "kubectl logs POD" };
    }
    const namespace = flags.operatorNamespace ?? wanted.namespace;
    const { lease, selector, port = METRICS_PORT, plainHttp } = flags;
    const options = { namespace, lease, selector, port, isSecure: !plainHttp, token };
    const { report, pod, failures } = await reportOfPod(client, key, options, context);
    return { report, failures, logs: `kubectl logs -n ${namespace} ${pod}` };
  };
  const answer = await ask(formatKey({ namespace: wanted.namespace, name: wanted.name }));
  const kind = await reportedKind(client, answer.report, wanted.kind);
  const found = controllersOf(answer.report, kind);
  const isOfCluster = found.some(({ resource }) => !resource.namespaced);
  return { ...isOfCluster ? await ask(wanted.name) : answer, kind };
}

/**
 * Returns the kind of the object that the user asks about, as the operator's report names it: short
 * names and singulars, which the report does not have, are looked up at the server. Returns the
 * given kind if no controller in the report is for the resource.
 */
async function reportedKind(client: Client, report: DebugReport, kind: string): Promise<string> {
  if (controllersOf(report, kind).length > 0) return kind;
  try {
    const { plural, group } = await discoveryClient(client).resourceFor(kind);
    const name = group ? `${plural}.${group}` : plural;
    return controllersOf(report, name).length > 0 ? name : kind;
  } catch (error) {
    if (error instanceof NoMatchError || error instanceof AmbiguousResourceError) return kind;
    throw error;
  }
}

/**
 * Returns the controllers in a report that are for a resource and have a report on the object's
 * key. The resource is named by kind, plural or id, also with the group.
 */
function controllersOf(
  { controllers }: DebugReport,
  kind: string,
): (ControllerReport & { readonly key: KeyReport })[] {
  const word = kind.toLowerCase();
  return controllers.flatMap((controller) => {
    const { kind, plural, group, id } = controller.resource;
    const names = [kind.toLowerCase(), plural, id];
    const known = [...names, ...names.map((name) => `${name}.${group}`)];
    const { key } = controller;
    return known.includes(word) && key ? [{ ...controller, key }] : [];
  });
}

async function explain(
  client: Client,
  report: DebugReport,
  wanted: Wanted,
  logs: string,
  context: CliContext,
): Promise<ExitCode> {
  const controllers = controllersOf(report, wanted.kind);
  if (controllers.length === 0) {
    const kinds = [...new Set(report.controllers.map(({ resource }) => resource.kind))];
    const next = kinds.length > 0
      ? `name an object of ${kinds[0]}, such as ${
        kinds[0]!.toLowerCase()
      }/NAME, or another operator`
      : logs;
    context.out(
      `No controller of this operator is for ${wanted.kind}; it has: ${
        kinds.join(", ") || "none"
      }.\n` +
        `Next: ${next}\n`,
    );
    return ExitCode.notSo;
  }
  let isFine = true;
  for (const controller of controllers) {
    const { kind, plural, group, namespaced } = controller.resource;
    const where = namespaced ? ` -n ${wanted.namespace}` : "";
    const object = `${kind} ${controller.key.key}`;
    const target = `${group ? `${plural}.${group}` : plural} ${wanted.name}${where}`;
    const server = await serverObject(client, controller);
    const { caches, lease } = report;
    const answer = verdict({ object, target, controller, caches, lease, server, logs });
    isFine &&= answer.isFine;
    const subject = answer.isFine ? "" : `${object} is not reconciled: `;
    const sentence = answer.sentence.replace(/\.$/, ""); // The message of an error may be one.
    context.out(`${subject}${sentence}.\nNext: ${answer.next}\n`);
  }
  return isFine ? ExitCode.ok : ExitCode.notSo;
}

/**
 * Returns the facts about an object on the server: its existence, and its match with the selectors
 * of the controller, if there are any. No request is made for an object in the operator's cache:
 * such an object exists.
 */
async function serverObject(
  client: Client,
  { resource, key, sources: [own] }: ControllerReport & { readonly key: KeyReport },
): Promise<ServerObject> {
  if (key.cached) return { exists: true };
  const { namespaced, group, version, kind, plural } = resource;
  const scope = namespaced ? "Namespaced" as const : "Cluster" as const;
  const type = resourceType({ group, version, kind, plural, scope });
  try {
    await client.get(type, key.key);
  } catch (error) {
    if (isNotFound(error)) return { exists: false };
    throw error;
  }
  if (!own?.labelSelector && !own?.fieldSelector) return { exists: true };
  const [namespace, name] = namespaced ? key.key.split("/") : [undefined, key.key];
  const fieldSelector = [own.fieldSelector, `metadata.name=${name}`].filter((text) => text).join(
    ",",
  );
  const { labelSelector } = own;
  const { items } = await client.list(type, { namespace, labelSelector, fieldSelector });
  return { exists: true, isSelected: items.length > 0 };
}
