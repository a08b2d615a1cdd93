/**
 * The annotation of simulated nodes, whose kubelet is pretended. The ports of pods on such a node
 * are reached through the pretended kubelet, which acts as an HTTP proxy.
 */
export const PRETEND_ANNOTATION = "kubelet.xca.k8s.kb.cx/pretend";
