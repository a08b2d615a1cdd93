// Written by `deno task facts:dump`.
export const DISCOVERY_V1: string = `{
"Endpoint":{"fields":[["addresses","[]string","r",{"listType":"set"}],["conditions","#.EndpointConditions","o"],["hostname","*string","o"],["targetRef","*#io.k8s.api.core.v1.ObjectReference","o"],["deprecatedTopology","{string}string","o"],["nodeName","*string","o"],["zone","*string","o"],["hints","*#.EndpointHints","o"]]},
"EndpointConditions":{"fields":[["ready","*bool","o"],["serving","*bool","o"],["terminating","*bool","o"]]},
"EndpointHints":{"fields":[["forZones","[]#.ForZone","o",{"listType":"atomic"}],["forNodes","[]#.ForNode","o",{"listType":"atomic"}]]},
"EndpointPort":{"fields":[["name","*string","o"],["protocol","*v1.Protocol=string","o",{"enum":["SCTP","TCP","UDP"]}],["port","*int32","o"],["appProtocol","*string","o"]],"openapi":{"x-kubernetes-map-type":"atomic"}},
"EndpointSlice":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["addressType","v1.AddressType=string","r",{"enum":["FQDN","IPv4","IPv6"]}],["endpoints","[]#.Endpoint","",{"listType":"atomic"}],["ports","[]#.EndpointPort","",{"listType":"atomic"}]],"kinds":[["discovery.k8s.io","v1","EndpointSlice"]]},
"EndpointSliceList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.EndpointSlice","r"]],"kinds":[["discovery.k8s.io","v1","EndpointSliceList"]]},
"ForNode":{"fields":[["name","string","r"]]},
"ForZone":{"fields":[["name","string","r"]]}
}`;
