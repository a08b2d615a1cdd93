/** Mirrors k8s.io/client-go/tools/leaderelection/leaderelection.go, LeaderElectionConfig. */
import type { Clock, Random } from "@xca/apimachinery/base";
import type { ElectionTiming } from "./election_timing.ts";
import type { CandidateClient, CoordinatedElection } from "./lease_candidacy.ts";

/** The figures of an election, by controller-runtime's names. */
export interface ElectionMetrics {
  /** `leader_election_master_status`: whether this process leads. */
  leading(lease: string, leads: boolean): void;
  /** `leader_election_slowpath_total`: renewals that had to read the Lease first. */
  slowPath(lease: string): void;
}

/** Options for {@linkcode LeaderElector}. */
export interface LeaderElectorOptions extends ElectionTiming {
  /**
   * The client that reads and writes the Lease; it needs get, create and update of leases, and in a
   * coordinated election get, create, update and delete of leasecandidates.
   */
  readonly client: CandidateClient;
  /** The namespace of the Lease. */
  readonly namespace: string;
  /** The name of the Lease; one per operator. */
  readonly name: string;
  /**
   * The identity of this process; no other process may have it. Of two that have the same one, one
   * leads at a time nevertheless: a record with this identity that this process has not written counts
   * as that of another leader. So a process that starts again with an identity of its own, after a crash,
   * waits until the lease expires.
   */
  readonly identity: string;
  /**
   * Lets the API server choose the leader among the candidates, by their versions. A server without
   * coordinated election is asked once; the candidates then elect the leader among themselves, and a
   * warning says so.
   *
   * @default {the candidates elect the leader among themselves}
   */
  readonly coordinated?: CoordinatedElection | undefined;
  /** Labels that each write of the Lease sets. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Called with the identity of each new leader, this process included. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Receives the figures. @default none */
  readonly metrics?: ElectionMetrics | undefined;
  /** The source of time. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The source of jitter. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** The time during which this process leads. */
export interface Term {
  /** Aborted when the lease is lost, or when the elector stops. */
  readonly signal: AbortSignal;
  /**
   * The time left to start writes, in milliseconds, by whichever clock has less; 0 once it has passed.
   * A renewal moves it.
   */
  readonly remainingMs: number;
}
