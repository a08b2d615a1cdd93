// Written by `deno task facts:dump`.
export const SCHEDULING_V1: string = `{
"PriorityClass":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["value","int32",""],["globalDefault","bool","o"],["description","string","o"],["preemptionPolicy","*v1.PreemptionPolicy=string","o",{"enum":["Never","PreemptLowerPriority"]}]],"kinds":[["scheduling.k8s.io","v1","PriorityClass"]]},
"PriorityClassList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.PriorityClass","r"]],"kinds":[["scheduling.k8s.io","v1","PriorityClassList"]]}
}`;
