// Mirrors k8s.io/client-go/tools/leaderelection/resourcelock/leaselock.go, LeaseLock.
import type { V1Lease } from "@xca/apimachinery/kubernetes-types";
import { Lease } from "@xca/apimachinery/meta";
import type { CallOptions } from "../../client/calls/options.ts";
import type { Client } from "../../client/typed/client.ts";
import { type ElectionRecord, recordOf, specOf } from "./election_record.ts";

/** Options for {@linkcode LeaseLock}, which reads and writes the Lease of a leader election. */
export interface LeaseLockOptions {
  /** The client that reads and writes the Lease. */
  readonly client: Pick<Client, "get" | "create" | "update">;
  /** The namespace of the election's Lease. */
  readonly namespace: string;
  /** The name of the election's Lease. */
  readonly name: string;
  /**
   * The labels that each write of the Lease sets; other labels of the Lease are kept.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/**
 * A lock that stores the election record of one election in a Lease. `update` sends the
 * resourceVersion that this lock last read or wrote, so that it fails with a conflict after a write
 * of another client.
 */
export class LeaseLock {
  /** The key of the Lease, `namespace/name`. */
  readonly key: string;
  readonly #options: LeaseLockOptions;
  #lease: V1Lease | undefined;

  /**
   * Creates the lock of an election's Lease. No request is sent before a function of the lock is
   * called.
   */
  constructor(options: LeaseLockOptions) {
    this.#options = options;
    this.key = `${options.namespace}/${options.name}`;
  }

  /**
   * Reads the Lease and returns its election record.
   *
   * @throws {ApiError} When the server refuses the request, with code 404 when there is no Lease.
   */
  async get(options: CallOptions): Promise<ElectionRecord> {
    this.#lease = await this.#options.client.get(Lease, this.key, options);
    return recordOf(this.#lease.spec);
  }

  /**
   * Creates the Lease with an election record.
   *
   * @throws {ApiError} When the server refuses the request, with code 409 when the Lease exists.
   */
  async create(record: ElectionRecord, options: CallOptions): Promise<void> {
    const { client, namespace, name, labels } = this.#options;
    const metadata = { namespace, name, ...(labels ? { labels: { ...labels } } : {}) };
    this.#lease = await client.create(Lease, { metadata, spec: specOf(record) }, options);
  }

  /**
   * Updates the Lease with an election record, at the resourceVersion last read or written.
   *
   * @throws {ApiError} When the server refuses the request, with code 409 when the Lease has
   * changed.
   * @throws {Error} When the Lease was neither read nor created before.
   */
  async update(record: ElectionRecord, options: CallOptions): Promise<void> {
    const lease = this.#lease;
    if (!lease) throw new Error(`Cannot update Lease ${this.key}: it was not read before`);
    const { client, labels } = this.#options;
    const metadata = labels
      ? { ...lease.metadata, labels: { ...lease.metadata.labels, ...labels } }
      : lease.metadata;
    this.#lease = await client.update(Lease, { ...lease, metadata, spec: specOf(record) }, options);
  }
}
