// Mirrors k8s.io/client-go/tools/leaderelection/leaderelection.go, LeaderElectionConfig.
import type { Clock, Random } from "@xca/apimachinery/base";
import type { ElectionTiming } from "./election_timing.ts";
import type { CandidateClient, CoordinatedElection } from "./lease_candidacy.ts";

/** A receiver of the metrics of a leader election, which have controller-runtime's names. */
export interface ElectionMetrics {
  /**
   * Sets the metric `leader_election_master_status` of a Lease (`namespace/name`) to whether this
   * process leads.
   */
  leading(lease: string, leads: boolean): void;
  /** Counts a renewal that had to read the Lease first, in `leader_election_slowpath_total`. */
  slowPath(lease: string): void;
}

/** Options for {@linkcode LeaderElector}, which takes part in a leader election. */
export interface LeaderElectorOptions extends ElectionTiming {
  /**
   * The client that reads and writes the Lease. Its user needs get, create and update of leases,
   * and in a coordinated election get, create, update and delete of leasecandidates.
   */
  readonly client: CandidateClient;
  /** The namespace of the election's Lease. */
  readonly namespace: string;
  /** The name of the election's Lease; one per operator. */
  readonly name: string;
  /**
   * The identity of this process, which must be unique and, with `coordinated`, valid as the name
   * of an object. If two processes have the same identity, nevertheless only one leads at a time:
   * an election record with this identity that this process has not written counts as that of
   * another leader. So a process that restarts with a fixed identity after a crash waits until the
   * lease expires.
   */
  readonly identity: string;
  /**
   * The options of a coordinated election, in which the API server chooses the leader among the
   * candidates, by their versions. If the server does not support coordinated election, the
   * candidates elect the leader among themselves, and the elector logs a warning once.
   *
   * @default {the candidates elect the leader among themselves}
   */
  readonly coordinated?: CoordinatedElection | undefined;
  /**
   * The labels that each write of the Lease sets; other labels of the Lease are kept.
   *
   * @default none
   */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * The callback that the elector calls with the identity of each new leader that it observes,
   * including this process. The elector logs an error of the callback, which has no other effect.
   *
   * @default none
   */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** The receiver of the leader election metrics. @default none */
  readonly metrics?: ElectionMetrics | undefined;
  /** The clock of the leader election. @default {systemClock} */
  readonly clock?: Clock | undefined;
  /** The random number source of the election's jitter. @default {systemRandom} */
  readonly random?: Random | undefined;
}

/** A term of leadership: the time during which this process leads. */
export interface Term {
  /** The signal that is aborted when the lease is lost, or when the elector stops. */
  readonly signal: AbortSignal;
  /**
   * The time left in which the leader may start writes, in milliseconds, by the monotonic or the
   * wall clock, whichever leaves less time; 0 once it has passed. Each renewal of the lease extends
   * the time.
   */
  readonly remainingMs: number;
}
