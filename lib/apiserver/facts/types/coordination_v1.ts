// Written by `deno task facts:dump`.
export const COORDINATION_V1: string = `{
"Lease":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.LeaseSpec","o"]],"kinds":[["coordination.k8s.io","v1","Lease"]]},
"LeaseList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.Lease","r"]],"kinds":[["coordination.k8s.io","v1","LeaseList"]]},
"LeaseSpec":{"fields":[["holderIdentity","*string","o"],["leaseDurationSeconds","*int32","o"],["acquireTime","*#io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime","o"],["renewTime","*#io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime","o"],["leaseTransitions","*int32","o"],["strategy","*v1.CoordinatedLeaseStrategy=string","o"],["preferredHolder","*string","o"]]}
}`;
