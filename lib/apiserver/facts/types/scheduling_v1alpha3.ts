// Written by `deno task facts:dump`.
export const SCHEDULING_V1ALPHA3: string = `{
"TopologyConstraint":{"fields":[["key","string","r"]]},
"WorkloadPodGroupAllDisruptionMode":{},
"WorkloadPodGroupBasicSchedulingPolicy":{},
"WorkloadPodGroupDisruptionMode":{"fields":[["single","*#.WorkloadPodGroupSingleDisruptionMode","o"],["all","*#.WorkloadPodGroupAllDisruptionMode","o"]],"openapi":{"x-kubernetes-unions":[{"fields-to-discriminateBy":{"all":"All","single":"Single"}}]}},
"WorkloadPodGroupGangSchedulingPolicy":{"fields":[["minCount","*int32","o"]]},
"WorkloadPodGroupResourceClaim":{"fields":[["name","string","r"],["resourceClaimName","*string","o"],["resourceClaimTemplateName","*string","o"]]},
"WorkloadPodGroupSchedulingConstraints":{"fields":[["topology","[]#.TopologyConstraint","o",{"listType":"atomic"}]]},
"WorkloadPodGroupSchedulingPolicy":{"fields":[["basic","*#.WorkloadPodGroupBasicSchedulingPolicy","o"],["gang","*#.WorkloadPodGroupGangSchedulingPolicy","o"]],"openapi":{"x-kubernetes-unions":[{"fields-to-discriminateBy":{"basic":"Basic","gang":"Gang"}}]}},
"WorkloadPodGroupSingleDisruptionMode":{}
}`;
