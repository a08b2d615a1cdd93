// Written by `deno task facts:dump`.
export const NODE_V1: string = `{
"Overhead":{"fields":[["podFixed","v1.ResourceList={v1.ResourceName=string}#io.k8s.apimachinery.pkg.api.resource.Quantity","o"]]},
"RuntimeClass":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["handler","string","r"],["overhead","*#.Overhead","o"],["scheduling","*#.Scheduling","o"]],"kinds":[["node.k8s.io","v1","RuntimeClass"]]},
"RuntimeClassList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.RuntimeClass","r"]],"kinds":[["node.k8s.io","v1","RuntimeClassList"]]},
"Scheduling":{"fields":[["nodeSelector","{string}string","o",{"mapType":"atomic"}],["tolerations","[]#io.k8s.api.core.v1.Toleration","o",{"listType":"atomic"}]]}
}`;
