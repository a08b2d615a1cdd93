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

/** The name and the namespace of a Secret. */
export interface SecretName {
  /** The namespace of the Secret. */
  readonly namespace: string;
  /** The name of the Secret. */
  readonly name: string;
}

/** The number of writes that may meet a conflict before the store gives up. */
const WRITE_TRIES = 10;

/** The store of a webhook server's own certificates: a Secret that several replicas read and write. */
export class MaterialStore {
  readonly #client: Pick<Client, "get" | "create" | "update">;
  readonly #name: SecretName;
  /** The material that was stored when this replica looked last. */
  #last: OwnMaterial | undefined;

  readonly #clock: Clock;
  readonly #readTrusted: (signal: AbortSignal | undefined) => Promise<readonly string[]>;

  /**
   * Creates the store in a Secret, which need not exist. `readTrusted` reads the authorities that clients
   * trust now, as PEM texts; it is called when the Secret has no certificate that they accept.
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

  /** Reads the material that is stored now; that of a missing Secret is empty. */
  async read(signal?: AbortSignal): Promise<OwnMaterial> {
    const secret = await this.#get(signal);
    return secret ? materialOf(secret) : NO_MATERIAL;
  }

  /**
   * Reads the material, and stores the results of `change` until `change` returns `undefined`. Of several
   * replicas that do so at once one writes; the others read its result and begin again.
   *
   * When the Secret is deleted, or its certificate or authorities removed, damaged or replaced by others, the
   * certificate that this replica has seen last is stored again with its authorities, but not their keys: a
   * rotation to a new authority follows. What clients trust stays trusted, since another replica may use a
   * certificate that this one has not seen.
   *
   * @throws {ApiError} When the server refuses, as without the right, or conflicts do not end.
   * @throws {Error} When the stored certificates seem to be valid only later, since the clock of this
   * machine is behind: they are not replaced.
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
      try {
        await this.#write(secret, next, signal);
      } catch (error) {
        if (!isConflict(error) && !isAlreadyExists(error) || tries >= WRITE_TRIES) throw error;
      }
    }
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
  ): Promise<void> {
    if (secret) {
      const data = withMaterial(secret.data ?? {}, material);
      await this.#client.update(Secret, { ...secret, data }, { signal });
      return;
    }
    const { name, namespace } = this.#name;
    const data = withMaterial({}, material);
    await this.#client.create(
      Secret,
      { metadata: { name, namespace }, type: "kubernetes.io/tls", data },
      { signal },
    );
  }
}

/**
 * Checks that a clock is not behind when stored certificates seem to be valid only later: another replica
 * with a good clock made them, and they must not be replaced.
 *
 * @throws {Error} When the API server wrote the Secret later than the clock says.
 */
function checkClock(secret: V1Secret, { signing, serving }: OwnMaterial, now: Date): void {
  if (![signing, serving].some((pair) => pair !== undefined && isValidLater(pair, now))) return;
  const { creationTimestamp, managedFields = [], name, namespace } = secret.metadata;
  const written = [creationTimestamp, ...managedFields.map(({ time }) => time)]
    .map((time) => time === undefined ? 0 : Date.parse(time));
  const last = Math.max(...written);
  if (now.getTime() >= last) return;
  throw new Error(
    `Cannot use the certificates of Secret ${namespace}/${name}: the clock of this machine is behind; it ` +
      `shows ${now.toISOString()}, and the API server wrote the Secret at ` +
      `${new Date(last).toISOString()}; correct the clock`,
  );
}

function isValidLater({ cert }: PemPair, now: Date): boolean {
  try {
    return now < parseCertificate(cert).notBefore;
  } catch {
    return false; // A damaged certificate is replaced.
  }
}
