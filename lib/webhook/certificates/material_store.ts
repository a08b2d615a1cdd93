import type { V1Secret } from "@xca/apimachinery/kubernetes-types";
import { Secret } from "@xca/apimachinery/meta";
import { ignoreNotFound, isAlreadyExists, isConflict } from "../../client/errors/api_error.ts";
import type { Client } from "../../client/typed/client.ts";
import {
  inOrder,
  materialOf,
  NO_MATERIAL,
  type OwnMaterial,
  withMaterial,
} from "./own_material.ts";

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

  readonly #readTrusted: (signal: AbortSignal | undefined) => Promise<readonly string[]>;

  /**
   * Creates the store in a Secret, which need not exist. `readTrusted` reads the authorities that clients
   * trust now, as PEM texts; it is called when the Secret has no certificate.
   */
  constructor(
    client: Pick<Client, "get" | "create" | "update">,
    name: SecretName,
    readTrusted: (signal: AbortSignal | undefined) => Promise<readonly string[]>,
  ) {
    this.#client = client;
    this.#name = name;
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
   * When the Secret is deleted, or its certificate removed, the certificate that this replica has seen last
   * is stored again with its authorities, but not their keys: a rotation to a new authority follows. What
   * clients trust stays trusted, since another replica may use a certificate that this one has not seen.
   *
   * @throws {ApiError} When the server refuses, as without the right, or conflicts do not end.
   */
  async settle(
    change: (material: OwnMaterial) => Promise<OwnMaterial | undefined>,
    signal?: AbortSignal,
  ): Promise<OwnMaterial> {
    for (let tries = 1;; tries++) {
      const secret = await this.#get(signal);
      const stored = secret ? materialOf(secret) : NO_MATERIAL;
      const material = stored.serving ? stored : await this.#recovered(stored, signal);
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

  async #recovered(stored: OwnMaterial, signal: AbortSignal | undefined): Promise<OwnMaterial> {
    const known = await this.#readTrusted(signal);
    const trusted = inOrder([...stored.trusted, ...this.#last?.trusted ?? [], ...known]);
    return { ...stored, trusted, serving: this.#last?.serving };
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
