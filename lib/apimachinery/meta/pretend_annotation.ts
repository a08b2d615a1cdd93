/**
 * The key of the annotation, with the value `true`, of nodes whose kubelet is simulated. The ports
 * of pods on such a node are reached through the simulated kubelet, which acts as an HTTP proxy.
 */
export const PRETEND_ANNOTATION = "kubelet.xca.k8s.kb.cx/pretend";
