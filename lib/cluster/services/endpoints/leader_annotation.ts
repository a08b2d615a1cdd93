// Mirrors `tools/leaderelection/resourcelock/interface.go, LeaderElectionRecordAnnotationKey`.

/**
 * The key of the annotation of Endpoints objects that served as the lock of a leader election and
 * belong to no Service.
 */
export const LEADER_ANNOTATION = "control-plane.alpha.kubernetes.io/leader";
