import type { Clock } from "@xca/apimachinery/base";
import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { Secret } from "@xca/apimachinery/meta";
import { parseCertificate, type PemPair } from "@xca/apimachinery/pki";
import { ignoreNotFound, isAlreadyExists, isConflict } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";
import {
  inOrder,
  materialOf,
  NO_MATERIAL,
  type OwnMaterial,
  withMaterial,
} from "./own_material.ts";
import { isVerified } from "./rotation.ts";

/** The name and the namespace of a Secret with certificates. */
export interface SecretName {
  /** The namespace of the Secret with the certificates. */
  readonly namespace: string;
  /** The name of the Secret with the certificates. */
  readonly name: string;
}

/**
 * The number of attempts of one call of {@linkcode MaterialStore.settle}, successful writes
 * included, from which on a conflicting write of the certificate Secret ends the call.
 */
const WRITE_TRIES = 10;

const HOUR_MS = 3_600_000;

/**
 * The number of writes of the Secret that a replica may make within an hour. A rotation takes
 * three; more writes show that another writer overwrites the Secret each time.
 */
const WRITES_PER_HOUR = 20;

/**
 * The number of writes of the Secret that a replica may make within an hour if its clock differs
 * from that of the API server by more than an hour: this replica leaves the Secret to replicas
 * whose clock agrees.
 */
const WRITES_PER_HOUR_WITH_SKEW = 6;

/** The store of a webhook server's own certificates: a Secret that several replicas read and write. */
export class MaterialStore {
  readonly #client: Pick<Client, "get" | "create" | "update">;
  readonly #name: SecretName;
  /**
   * The certificates and keys that the last {@linkcode settle} of this replica returned;
   * `undefined` before the first one that succeeded.
   */
  #last: OwnMaterial | undefined;
  /** The times at which this replica wrote the Secret in the last hour, on the monotonic clock. */
  #writtenMs: readonly number[] = [];
  /**
   * Reports whether the clock of this machine differed from that of the API server by more than an
   * hour at this replica's last write; false before the first.
   */
  #isSkewed = false;

  readonly #clock: Clock;
  readonly #readTrusted: (signal: AbortSignal | undefined) => Promise<readonly string[]>;

  /**
   * Creates the store of certificates in a Secret, which need not exist yet. `readTrusted` reads
   * the authorities that clients trust at present, as PEM texts; it is called when the Secret has
   * no valid serving certificate, or no key of an authority.
   */
  constructor(
    client: Pick<Client, "get" | "create" | "update">,
    name: SecretName,
    clock: Clock,
    readTrusted: (signal: AbortSignal | undefined) => Promise<readonly string[]>,
  ) {
    this.#client = client;
    this.#name = name;
    this.#clock = clock;
    this.#readTrusted = readTrusted;
  }

  /**
   * Reads the certificates and keys in the Secret; returns {@linkcode NO_MATERIAL} if the Secret
   * does not exist.
   */
  async read(signal?: AbortSignal): Promise<OwnMaterial> {
    const secret = await this.#get(signal);
    return secret ? materialOf(secret) : NO_MATERIAL;
  }

  /**
   * Reads the certificates and keys in the Secret, and stores the results of `change` until
   * `change` returns `undefined`; returns the certificates and keys that are then stored. Of
   * several replicas that do so at once one writes; the others read its result and begin again.
   *
   * When the Secret is deleted, or its certificate or authorities removed, damaged or replaced by
   * others, the certificate that this replica has seen last is stored again with its authorities,
   * but not their keys: a rotation to a new authority follows. Authorities that clients trust stay
   * trusted, since another replica may use a certificate that this one has not seen.
   *
   * @throws {ApiError} When the server refuses a request, for example for lack of permission, or
   * conflicts do not end.
   * @throws {Error} When the stored certificates seem to be valid only later, since the clock of
   * this machine is behind: they are not replaced. Also when this replica has written too often,
   * since another program, or a replica with another clock, overwrites the Secret each time.
   */
  async settle(
    change: (material: OwnMaterial) => Promise<OwnMaterial | undefined>,
    signal?: AbortSignal,
  ): Promise<OwnMaterial> {
    for (let tries = 1;; tries++) {
      const secret = await this.#get(signal);
      const stored = secret ? materialOf(secret) : NO_MATERIAL;
      const now = this.#clock.now();
      if (secret) checkClock(secret, stored, now);
      const isOwn = isVerified(stored, now) && (stored.signing || stored.next) !== undefined;
      const material = isOwn ? stored : await this.#recovered(stored, now, signal);
      const next = await change(material) ?? (material === stored ? undefined : material);
      if (!next) return this.#last = material;
      signal?.throwIfAborted();
      this.#checkRate();
      try {
        const written = await this.#write(secret, next, signal);
        this.#writtenMs = [...this.#writtenMs, this.#clock.monotonicMs()];
        this.#isSkewed = Math.abs(this.#clock.now().getTime() - writtenAtMs(written)) > HOUR_MS;
      } catch (error) {
        if (!isConflict(error) && !isAlreadyExists(error) || tries >= WRITE_TRIES) throw error;
      }
    }
  }

  /**
   * Checks that this replica has not written the certificate Secret too often.
   *
   * @throws {Error} When it has reached the limit of writes within an hour.
   */
  #checkRate(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#writtenMs = this.#writtenMs.filter((atMs) => nowMs - atMs < HOUR_MS);
    const limit = this.#isSkewed ? WRITES_PER_HOUR_WITH_SKEW : WRITES_PER_HOUR;
    if (this.#writtenMs.length < limit) return;
    const why = this.#isSkewed
      ? "since its clock is not that of the API server; correct the clock of this machine"
      : "by another program or a replica whose clock differs; compare the clocks of the nodes, and see " +
        "who writes the Secret (kubectl get secret -o yaml --show-managed-fields)";
    throw new Error(
      `Cannot keep the certificates of Secret ${this.#key}: this replica has written them ${limit} times ` +
        `within an hour, and each time they were overwritten, ${why}`,
    );
  }

  async #recovered(
    stored: OwnMaterial,
    now: Date,
    signal: AbortSignal | undefined,
  ): Promise<OwnMaterial> {
    const known = await this.#readTrusted(signal);
    const trusted = inOrder([...stored.trusted, ...this.#last?.trusted ?? [], ...known]);
    const last = this.#last?.serving;
    const serving = isVerified({ serving: last, trusted }, now) ? last : stored.serving;
    return { ...stored, trusted, serving };
  }

  #get(signal: AbortSignal | undefined): Promise<V1Secret | undefined> {
    return ignoreNotFound(this.#client.get(Secret, this.#key, { signal }));
  }

  get #key(): `${string}/${string}` {
    return `${this.#name.namespace}/${this.#name.name}`;
  }

  async #write(
    secret: V1Secret | undefined,
    material: OwnMaterial,
    signal: AbortSignal | undefined,
  ): Promise<V1Secret> {
    if (secret) {
      const data = withMaterial(secret.data ?? {}, material);
      return await this.#client.update(Secret, { ...secret, data }, { signal });
    }
    const { name, namespace } = this.#name;
    const data = withMaterial({}, material);
    return await this.#client.create(
      Secret,
      { metadata: { name, namespace }, type: "kubernetes.io/tls", data },
      { signal },
    );
  }
}

/**
 * Checks that the machine's clock is not behind when stored certificates seem to be valid only
 * later: a replica with a correct clock created them, and they must not be replaced.
 *
 * @throws {Error} When the API server wrote the Secret later than the clock says.
 */
function checkClock(secret: V1Secret, { signing, serving }: OwnMaterial, now: Date): void {
  if (![signing, serving].some((pair) => pair !== undefined && isValidLater(pair, now))) return;
  const { name, namespace } = secret.metadata;
  const last = writtenAtMs(secret);
  if (now.getTime() >= last) return;
  throw new Error(
    `Cannot use the certificates of Secret ${namespace}/${name}: the clock of this machine is behind; it ` +
      `shows ${now.toISOString()}, and the API server wrote the Secret at ` +
      `${new Date(last).toISOString()}; correct the clock`,
  );
}

/**
 * Returns the time at which the API server last wrote a Secret, by the server's clock, in
 * milliseconds since the Unix epoch; 0 if the metadata of the Secret has no time.
 */
function writtenAtMs({ metadata: { creationTimestamp, managedFields = [] } }: V1Secret): number {
  const written = [creationTimestamp, ...managedFields.map(({ time }) => time)]
    .map((time) => time === undefined ? 0 : Date.parse(time));
  return Math.max(...written);
}

function isValidLater({ cert }: PemPair, now: Date): boolean {
  try {
    return now < parseCertificate(cert).notBefore;
  } catch {
    return false; // A damaged certificate is replaced.
  }
}
