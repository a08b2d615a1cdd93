// Written by `deno task facts:dump`.
export const STORAGEMIGRATION_V1: string = `{
"StorageVersionMigration":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta","o"],["spec","#.StorageVersionMigrationSpec","o"],["status","#.StorageVersionMigrationStatus","o"]],"kinds":[["storagemigration.k8s.io","v1","StorageVersionMigration"]]},
"StorageVersionMigrationList":{"fields":[["kind","string","o",{"embedded":"TypeMeta"}],["apiVersion","string","o",{"embedded":"TypeMeta"}],["metadata","#io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta","o"],["items","[]#.StorageVersionMigration","r"]],"kinds":[["storagemigration.k8s.io","v1","StorageVersionMigrationList"]]},
"StorageVersionMigrationSpec":{"fields":[["resource","#io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource","r"]]},
"StorageVersionMigrationStatus":{"fields":[["conditions","[]#io.k8s.apimachinery.pkg.apis.meta.v1.Condition","o",{"listType":"map","mapKeys":["type"],"patchStrategy":"merge","patchMergeKey":"type"}],["resourceVersion","string","o"]]}
}`;
