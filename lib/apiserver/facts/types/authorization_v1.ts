// Written by `deno task facts:dump`.
export const AUTHORIZATION_V1: string = `{
"FieldSelectorAttributes":{"fields":[["rawSelector","string","o"],["requirements","[]#io.k8s.apimachinery.pkg.apis.meta.v1.FieldSelectorRequirement","o",{"listType":"atomic"}]]},
"LabelSelectorAttributes":{"fields":[["rawSelector","string","o"],["requirements","[]#io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelectorRequirement","o",{"listType":"atomic"}]]},
"LocalSubjectAccessReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.SubjectAccessReviewSpec","r"],["status","#.SubjectAccessReviewStatus","o"]],"kinds":[["authorization.k8s.io","v1","LocalSubjectAccessReview"]]},
"NonResourceAttributes":{"fields":[["path","string","o"],["verb","string","o"]]},
"NonResourceRule":{"fields":[["verbs","[]string","r",{"listType":"atomic"}],["nonResourceURLs","[]string","o",{"listType":"atomic"}]]},
"ResourceAttributes":{"fields":[["namespace","string","o"],["verb","string","o"],["group","string","o"],["version","string","o"],["resource","string","o"],["subresource","string","o"],["name","string","o"],["fieldSelector","*#.FieldSelectorAttributes","o"],["labelSelector","*#.LabelSelectorAttributes","o"]]},
"ResourceRule":{"fields":[["verbs","[]string","r",{"listType":"atomic"}],["apiGroups","[]string","o",{"listType":"atomic"}],["resources","[]string","o",{"listType":"atomic"}],["resourceNames","[]string","o",{"listType":"atomic"}]]},
"SelfSubjectAccessReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.SelfSubjectAccessReviewSpec","r"],["status","#.SubjectAccessReviewStatus","o"]],"kinds":[["authorization.k8s.io","v1","SelfSubjectAccessReview"]]},
"SelfSubjectAccessReviewSpec":{"fields":[["resourceAttributes","*#.ResourceAttributes","o"],["nonResourceAttributes","*#.NonResourceAttributes","o"]]},
"SelfSubjectRulesReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.SelfSubjectRulesReviewSpec","r"],["status","#.SubjectRulesReviewStatus","o"]],"kinds":[["authorization.k8s.io","v1","SelfSubjectRulesReview"]]},
"SelfSubjectRulesReviewSpec":{"fields":[["namespace","string","o"]]},
"SubjectAccessReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.SubjectAccessReviewSpec","r"],["status","#.SubjectAccessReviewStatus","o"]],"kinds":[["authorization.k8s.io","v1","SubjectAccessReview"]]},
"SubjectAccessReviewSpec":{"fields":[["resourceAttributes","*#.ResourceAttributes","o"],["nonResourceAttributes","*#.NonResourceAttributes","o"],["user","string","o"],["groups","[]string","o",{"listType":"atomic"}],["extra","{string}v1.ExtraValue=[]string","o"],["uid","string","o"]]},
"SubjectAccessReviewStatus":{"fields":[["allowed","bool","r"],["denied","bool","o"],["reason","string","o"],["evaluationError","string","o"]]},
"SubjectRulesReviewStatus":{"fields":[["resourceRules","[]#.ResourceRule","r",{"listType":"atomic"}],["nonResourceRules","[]#.NonResourceRule","r",{"listType":"atomic"}],["incomplete","bool","r"],["evaluationError","string","o"]]}
}`;
