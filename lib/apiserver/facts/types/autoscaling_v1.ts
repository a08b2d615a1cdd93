// Written by `deno task facts:dump`.
export const AUTOSCALING_V1: string = `{
"CrossVersionObjectReference":{"fields":[["kind","string","r"],["name","string","r"],["apiVersion","string","o"]],"openapi":{"x-kubernetes-map-type":"atomic"}},
"HorizontalPodAutoscaler":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.HorizontalPodAutoscalerSpec","or"],["status","#.HorizontalPodAutoscalerStatus","o"]],"kinds":[["autoscaling","v1","HorizontalPodAutoscaler"]]},
"HorizontalPodAutoscalerList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.HorizontalPodAutoscaler","r"]],"kinds":[["autoscaling","v1","HorizontalPodAutoscalerList"]]},
"HorizontalPodAutoscalerSpec":{"fields":[["scaleTargetRef","#.CrossVersionObjectReference","r"],["minReplicas","*int32","o"],["maxReplicas","int32","r"],["targetCPUUtilizationPercentage","*int32","o"]]},
"HorizontalPodAutoscalerStatus":{"fields":[["observedGeneration","*int64","o"],["lastScaleTime","*#io.k8s.apimachinery.pkg.apis.meta.v1.Time","o"],["currentReplicas","int32","r"],["desiredReplicas","int32","r"],["currentCPUUtilizationPercentage","*int32","o"]]},
"Scale":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.ScaleSpec","o"],["status","#.ScaleStatus","o"]],"kinds":[["autoscaling","v1","Scale"]]},
"ScaleSpec":{"fields":[["replicas","int32","o",{"default":0}]]},
"ScaleStatus":{"fields":[["replicas","int32","r"],["selector","string","o"]]}
}`;
