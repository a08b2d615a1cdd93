// Written by `deno task facts:dump`.
export const AUTHENTICATION_V1: string = `{
"BoundObjectReference":{"fields":[["kind","string","o"],["apiVersion","string","o"],["name","string","o"],["uid","types.UID=string","o"]]},
"SelfSubjectReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["status","#.SelfSubjectReviewStatus","o"]],"kinds":[["authentication.k8s.io","v1","SelfSubjectReview"]]},
"SelfSubjectReviewStatus":{"fields":[["userInfo","#.UserInfo","o"]]},
"TokenRequest":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.TokenRequestSpec",""],["status","#.TokenRequestStatus","o"]],"kinds":[["authentication.k8s.io","v1","TokenRequest"]]},
"TokenRequestSpec":{"fields":[["audiences","[]string","",{"listType":"atomic"}],["expirationSeconds","*int64",""],["boundObjectRef","*#.BoundObjectReference",""],["attestations","{string}v1.AttestationValue=[]string","o"]]},
"TokenRequestStatus":{"fields":[["token","string",""],["expirationTimestamp","#io.k8s.apimachinery.pkg.apis.meta.v1.Time",""]]},
"TokenReview":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.TokenReviewSpec","r"],["status","#.TokenReviewStatus","o"]],"kinds":[["authentication.k8s.io","v1","TokenReview"]]},
"TokenReviewSpec":{"fields":[["token","string","or"],["audiences","[]string","o",{"listType":"atomic"}]]},
"TokenReviewStatus":{"fields":[["authenticated","bool","o"],["user","#.UserInfo","o"],["audiences","[]string","o",{"listType":"atomic"}],["error","string","o"]]},
"UserInfo":{"fields":[["username","string","o"],["uid","string","o"],["groups","[]string","o",{"listType":"atomic"}],["extra","{string}v1.ExtraValue=[]string","o"]]}
}`;
