import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import { type Clock, linkedAbort, type Random, systemRandom } from "@xca/apimachinery/base";
import { parseCertificate, type PemPair } from "@xca/apimachinery/pki";
import { Secret } from "@xca/apimachinery/meta";
import type { CertificateOffer, CertificateSource } from "@xca/apimachinery/serving";
import type { Client } from "../../client/typed/client.ts";
import type { ResourceUse } from "../../controller/definition/resource_use.ts";
import { type CaBundleTargets, targetsOf } from "./ca_bundle.ts";
import { serviceNames } from "./files_certificate.ts";
import type { SecretName } from "./material_store.ts";
import { bundleOf } from "./own_material.ts";
import { Passes, type PassesOptions } from "./passes.ts";
import type { RotationRules } from "./rotation.ts";
import type { Run, Wake } from "./wake.ts";

/**
 * The delay before a failed check of the certificate Secret and the configurations is repeated, in
 * milliseconds.
 */
const RETRY_MS = 5_000;

/**
 * Options of {@linkcode ownCertificates}, which creates and renews a webhook server's certificates.
 */
export interface OwnCertificatesOptions {
  /** The client that writes the certificate Secret and the `caBundle` of configurations. */
  readonly client: Pick<Client, "get" | "create" | "update" | "patch" | "watch">;
  /**
   * The Secret with the certificate authority and the certificate; it is created if it does not
   * exist.
   */
  readonly secret: SecretName;
  /** The Service at which the API server calls the webhooks. @default none */
  readonly service?: { readonly name: string; readonly namespace: string } | undefined;
  /**
   * Further DNS names and IP addresses of the webhook server, such as `localhost` or `127.0.0.1`.
   * @default none
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * The objects whose `caBundle` is kept equal to the webhook server's certificate authorities.
   *
   * @default none
   */
  readonly targets?: CaBundleTargets | undefined;
  /** The validity of a certificate authority, in days. @default {365} */
  readonly caDays?: number | undefined;
  /** The validity of a serving certificate, in days. @default {90} */
  readonly servingDays?: number | undefined;
  /**
   * The time from the write of a configuration until every API server has observed it, in
   * milliseconds. A new authority signs only after all configurations have named it for this time.
   *
   * @default {300_000}
   */
  readonly propagationMs?: number | undefined;
  /**
   * The longest interval between checks of the Secret and the configurations, in milliseconds.
   * Changes are watched in addition.
   *
   * @default {600_000}
   */
  readonly syncMs?: number | undefined;
  /**
   * The random number source that varies the times of certificate renewals and retries.
   *
   * @default {systemRandom}
   */
  readonly random?: Random | undefined;
}

/**
 * A certificate source for replicas of a webhook server that create their certificates themselves.
 */
export interface OwnCertificates extends CertificateSource {
  /** The API calls of the certificate source, whose permissions a manager checks at its start. */
  readonly uses: readonly ResourceUse[];
}

/** The names of all options of {@linkcode ownCertificates}. */
const OWN_OPTIONS: OptionNames<OwnCertificatesOptions> = {
  client: true,
  secret: true,
  service: true,
  hosts: true,
  targets: { mutating: true, validating: true, crds: true },
  caDays: true,
  servingDays: true,
  propagationMs: true,
  syncMs: true,
  random: true,
};

/**
 * Returns a certificate source for replicas of a webhook server that create their certificates
 * themselves: an authority and a serving certificate in a Secret, renewed by the first replica that
 * finds them due, and the authorities in the `caBundle` of the configurations of the API server.
 *
 * - A certificate is renewed after about two thirds of its validity, at a random time of each
 *   replica.
 * - A new authority is published in every `caBundle` before it signs, and stays there until it
 *   expires. A certificate in use can be verified at each moment, even that of a replica that takes
 *   over the new one late.
 * - A `caBundle` that another client empties or overwrites is written again. Other fields are never
 *   written.
 *
 * @throws {TypeError} When neither a Service nor a host is given, or an option is unknown.
 * @throws {RangeError} When a time is not a positive number, or a serving certificate would outlast
 * its authority.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { Secret } from "@xca/operator/meta";
 * import { ApiServer, clientOf } from "@xca/operator/testing";
 * import { ownCertificates } from "@xca/operator/webhook";
 * import { systemClock } from "@xca/operator/base";
 *
 * using server = await ApiServer.start();
 * using client = clientOf(server);
 * const source = ownCertificates({
 *   client,
 *   secret: { namespace: "default", name: "webhook-certificate" },
 *   service: { namespace: "default", name: "webhooks" },
 * });
 * const abort = new AbortController();
 * for await (const offer of source.offers(abort.signal, systemClock)) {
 *   assert("pair" in offer);
 *   break;
 * }
 * abort.abort();
 * const { data } = await client.get(Secret, "default/webhook-certificate");
 * assert(data?.["tls.crt"]);
 * ```
 */
export function ownCertificates(options: OwnCertificatesOptions): OwnCertificates {
  checkOptionNames("Cannot serve own certificates", options, OWN_OPTIONS);
  const { secret, service, hosts = [] } = options;
  const names = [...new Set([...(service ? serviceNames(service) : []), ...hosts])];
  const { caDays = 365, servingDays = 90, propagationMs = 300_000, syncMs = 600_000 } = options;
  checkOptions(names, { caDays, servingDays, propagationMs, syncMs });
  const random = options.random ?? systemRandom;
  const rules = { names, caDays, servingDays, propagationMs, jitter: random.next() };
  return {
    name: `of Secret ${secret.namespace}/${secret.name}`,
    hosts: names,
    uses: ownCertificatesUses(options),
    offers: (signal, clock) => offersOf({ ...options, random, syncMs }, rules, { signal, clock }),
  };
}

/**
 * Returns the API calls of {@linkcode ownCertificates}, for the option `uses` of `rulesOf` in
 * `@xca/operator/rbac`, which derives RBAC rules from them.
 *
 * @throws {TypeError} When an option is unknown.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ownCertificatesUses } from "@xca/operator/webhook";
 *
 * const uses = ownCertificatesUses({ secret: { namespace: "shop", name: "certificate" } });
 * assert.deepEqual(uses.map(({ calls }) => calls), [["create"], ["get", "update", "watch"]]);
 * ```
 */
export function ownCertificatesUses(
  options: Pick<OwnCertificatesOptions, "secret" | "targets">,
): readonly ResourceUse[] {
  checkOptionNames("Cannot list the uses of own certificates", options, OWN_OPTIONS);
  const { secret, targets = {} } = options;
  const injected = Map.groupBy(targetsOf(targets), ({ type }) => type);
  const namespaces = [secret.namespace];
  return [
    // RBAC cannot restrict `create` to a name.
    { type: Secret, calls: ["create"], namespaces },
    { type: Secret, calls: ["get", "update", "watch"], namespaces, names: [secret.name] },
    ...[...injected].map(([type, objects]): ResourceUse => ({
      type,
      calls: ["get", "patch", "watch"],
      names: objects.map(({ name }) => name),
    })),
  ];
}

/**
 * Yields the stored certificate, each new one, and the problem of each failed check of the Secret;
 * that of a failed write of a `caBundle` only before the first certificate. A replica that has a
 * valid certificate takes over a new one only when it has itself seen all authorities published for
 * long enough: another replica, which lost the Secret and created a new authority, may sign by an
 * authority that clients do not know yet.
 */
async function* offersOf(
  options: PassesOptions,
  rules: RotationRules,
  { signal, clock }: Run,
): AsyncGenerator<CertificateOffer> {
  // The watches end with the run also when a caller leaves the iteration early.
  using own = linkedAbort({ signals: [signal], clock });
  using ending = new DisposableStack();
  ending.defer(() => own.abort());
  const passes = new Passes(options, rules, { signal: own.signal, clock });
  let last: PemPair | undefined;
  let wake: Wake | undefined;
  while (!signal.aborted) {
    let waitMs = RETRY_MS;
    try {
      const material = await passes.settle();
      const failure = await passes.publish(material);
      if (failure !== undefined && last === undefined) throw failure;
      const { serving } = material;
      const isNew = serving !== undefined && serving.cert !== last?.cert;
      const untilTrustedMs = isNew && last && !isPast(last, clock)
        ? passes.untilPublishedMs(material)
        : 0;
      if (isNew && untilTrustedMs === 0) {
        last = serving;
        yield { pair: serving, ca: bundleOf(material) };
      }
      if (failure === undefined) waitMs = passes.dueInMs(material);
      if (untilTrustedMs > 0) waitMs = Math.min(waitMs, untilTrustedMs);
    } catch (problem) {
      if (signal.aborted) return;
      yield { problem };
    }
    // A caller that takes one certificate and no more leaves no watch behind.
    wake ??= passes.watch();
    await wake.wait(waitMs);
  }
}

/** Reports whether a certificate has expired. */
function isPast({ cert }: PemPair, clock: Clock): boolean {
  return clock.now() >= parseCertificate(cert).notAfter;
}

function checkOptions(names: readonly string[], times: Readonly<Record<string, number>>): void {
  const failure = "Cannot make certificates of a webhook server";
  if (names.length === 0) {
    throw new TypeError(
      `${failure}: pass { service } or { hosts }, by which the API server calls it`,
    );
  }
  for (const [name, value] of Object.entries(times)) {
    if (typeof value === "number" && value > 0 && Number.isFinite(value)) continue;
    throw new RangeError(`${failure}: ${name} must be a positive number, is ${String(value)}`);
  }
  const { caDays, servingDays } = times;
  if (servingDays! > caDays!) {
    throw new RangeError(
      `${failure}: servingDays (${servingDays}) must not exceed caDays (${caDays}), since no certificate ` +
        `outlasts its authority`,
    );
  }
}
