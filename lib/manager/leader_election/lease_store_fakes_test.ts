import { type Clock, delay } from "@xca/apimachinery/base";
import type { V1Lease } from "@xca/apimachinery/kubernetes-types";
import type { ResourceType } from "@xca/apimachinery/meta";
import type { CallOptions } from "../../client/calls/options.ts";
import { ApiError } from "../../client/errors/api_error.ts";
import type { LeaderElectorOptions } from "./leader_elector_options.ts";

/** A fault of one call. */
export type LeaseFault =
  /** The server refuses with this code. */
  | number
  /** The call never reaches the server. */
  | "lost"
  /** The server commits the call, and the answer never arrives. */
  | "answer lost";

/** A call that reached the store. */
export interface LeaseCall {
  readonly verb: "get" | "create" | "update";
  readonly identity: string;
}

function refusal(code: number): ApiError {
  return new ApiError({ status: { code, message: `refused with ${code}` } });
}

/** The Lease of an API server, with its optimistic concurrency, for many electors. */
export class LeaseStore {
  lease: V1Lease | undefined;
  readonly calls: LeaseCall[] = [];
  /** Returns the fault of a call. */
  fault: (call: LeaseCall) => LeaseFault | undefined = () => undefined;
  #version = 0;
  /** The clocks of the replicas that received the present Lease. */
  readonly #seenBy = new Set<Clock>();

  /** Reports whether the replica with a clock received the Lease since its creation. */
  wasSeenBy(clock: Clock): boolean {
    return this.#seenBy.has(clock);
  }

  /** Returns the client of one replica; a call without an answer ends by its signal or time-out. */
  clientOf(identity: string, clock: Clock): LeaderElectorOptions["client"] {
    const call = async (
      verb: LeaseCall["verb"],
      options: CallOptions | undefined,
      commit: () => V1Lease,
    ): Promise<V1Lease> => {
      await Promise.resolve();
      options?.signal?.throwIfAborted();
      this.calls.push({ verb, identity });
      const fault = this.fault({ verb, identity });
      if (typeof fault === "number") throw refusal(fault);
      const answer = fault === "lost" ? undefined : structuredClone(commit());
      if (answer && fault === undefined) {
        this.#seenBy.add(clock);
        return answer;
      }
      await delay(options?.timeoutMs ?? 60_000, { clock, signal: options?.signal });
      throw new DOMException("no answer", "TimeoutError");
    };
    const client = {
      get: (_: ResourceType, __: string, options?: CallOptions) =>
        call("get", options, () => {
          if (!this.lease) throw refusal(404);
          return this.lease;
        }),
      create: (_: ResourceType, lease: V1Lease, options?: CallOptions) =>
        call("create", options, () => {
          if (this.lease) throw refusal(409);
          this.#seenBy.clear();
          return this.#store(lease);
        }),
      update: (_: ResourceType, lease: V1Lease, options?: CallOptions) =>
        call("update", options, () => {
          if (!this.lease) throw refusal(404);
          if (lease.metadata.resourceVersion !== this.lease.metadata.resourceVersion) {
            throw refusal(409);
          }
          return this.#store(lease);
        }),
    };
    return client as unknown as LeaderElectorOptions["client"];
  }

  #store(lease: V1Lease): V1Lease {
    const metadata = { ...lease.metadata, resourceVersion: String(++this.#version) };
    return this.lease = structuredClone({ ...lease, metadata });
  }
}
