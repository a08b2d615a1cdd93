// Written by `deno task facts:dump`.
export const APIREGISTRATION_V1: string = `{
"APIService":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.APIServiceSpec","o"],["status","#.APIServiceStatus","o"]],"kinds":[["apiregistration.k8s.io","v1","APIService"]]},
"APIServiceCondition":{"fields":[["type","v1.APIServiceConditionType=string","r"],["status","v1.ConditionStatus=string","r"],["lastTransitionTime","#io.k8s.apimachinery.pkg.apis.meta.v1.Time","o"],["reason","string","o"],["message","string","o"]]},
"APIServiceList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.APIService","r"]],"kinds":[["apiregistration.k8s.io","v1","APIServiceList"]]},
"APIServiceSpec":{"fields":[["service","*#.ServiceReference","o"],["group","string","o"],["version","string","o"],["insecureSkipTLSVerify","bool","o"],["caBundle","[]uint8","o",{"listType":"atomic"}],["groupPriorityMinimum","int32","r"],["versionPriority","int32","r"]]},
"APIServiceStatus":{"fields":[["conditions","[]#.APIServiceCondition","o",{"listType":"map","mapKeys":["type"],"patchStrategy":"merge","patchMergeKey":"type"}]]},
"ServiceReference":{"fields":[["namespace","string","o"],["name","string","o"],["port","*int32","o"]]}
}`;
