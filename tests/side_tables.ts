/**
 * The facts of the library that are kept beside a value and not in it: in a WeakMap or a WeakSet, under
 * a symbol, or behind a WeakRef. A reader of the value cannot see them, so each needs a reason; a fact
 * about a value is a field of the value, or a parameter, wherever the value is ours.
 *
 * `tests/side_tables_test.ts` holds this list against the source.
 *
 * @module
 */

/** Why facts are kept beside a value. */
export interface SideTables {
  /**
   * The number of occurrences of `WeakMap`, `WeakSet`, `WeakRef` and `Symbol` in the code of the
   * file.
   */
  readonly count: number;
  /** Why a field or a parameter would not do. */
  readonly reason: string;
}

const DERIVED = "A computed result, remembered for as long as its input exists. The input is " +
  "written elsewhere (by a user, or a layer below), and the result is not a fact that callers pass on.";
const MARK =
  "A mark by `Symbol.for`, which instances have in every copy of the library in a process: " +
  "an operator's module may import another copy than the program that runs it.";

/** The side tables of each file below `lib/`. */
export const SIDE_TABLES: Readonly<Record<string, SideTables>> = {
  "lib/apimachinery/schema/structural/json_schema.ts": { count: 1, reason: DERIVED },
  "lib/apimachinery/schema/validation/checker.ts": { count: 2, reason: DERIVED },
  "lib/apimachinery/schema/validation/surely_valid.ts": { count: 1, reason: DERIVED },
  "lib/apimachinery/serving/peer.ts": {
    count: 1,
    reason:
      "The certificate of a connection, read once. The socket is Node's, and so is the request " +
      "that leads to it: neither has room for a field of ours.",
  },
  "lib/apimachinery/serving/tunnel.ts": {
    count: 1,
    reason:
      "The function that takes over the connection of a response. A handler is fetch-shaped, so that " +
      "it can only return a Response, which has no room for a field of ours.",
  },
  "lib/cluster/scheduler/requests.ts": { count: 1, reason: DERIVED },
  "lib/resource/validation/validate.ts": { count: 1, reason: DERIVED },
  "lib/controller/tracing/telemetry.ts": {
    count: 1,
    reason:
      "The symbol under which SDKs of OpenTelemetry register themselves on the global object: a " +
      "contract of that API, read so that the API is loaded only where there is an SDK.",
  },
  "lib/apiserver/admission/reinvocation.ts": {
    count: 1,
    reason:
      "The progress of one plugin with one write. A field of the write would have to know each " +
      "plugin.",
  },
  "lib/apiserver/machinery/empty_maps.ts": {
    count: 1,
    reason: "The fields of an object that arrived as empty maps. The object is the JSON that is " +
      "stored and answered: a field of it would be stored and answered too.",
  },
  "lib/apiserver/managed_fields/field_managers.ts": { count: 1, reason: DERIVED },
  "lib/apiserver/managed_fields/typed/merge_type.ts": { count: 2, reason: DERIVED },
  "lib/apiserver/managed_fields/versioned_types.ts": { count: 1, reason: DERIVED },
  "lib/apiserver/managed_fields/zero_object.ts": { count: 1, reason: DERIVED },
  "lib/apiserver/openapi/document_v2.ts": { count: 2, reason: DERIVED },
  "lib/apiserver/openapi/openapi_answer.ts": { count: 1, reason: DERIVED },
  "lib/apiserver/output/table.ts": { count: 1, reason: DERIVED },
  "lib/apiserver/patch/patched_resource.ts": { count: 1, reason: DERIVED },
  "lib/cache/packed/arena_pool.ts": {
    count: 1,
    reason:
      "The holders of texts. The pool must reach each to move its texts, and must not keep a " +
      "holder alive that its owner dropped.",
  },
  "lib/cache/packed/common_facts.ts": {
    count: 1,
    reason: "The latest common facts of each set of labels; the labels are the plain object that " +
      "readers get, and go when no object has them any more.",
  },
  "lib/cache/packed/lazy_object.ts": {
    count: 2,
    reason:
      "The source of a lazily parsed object: the object must enumerate, spread and print as one " +
      "of JSON.parse. The other is the symbol that console.log looks for.",
  },
  "lib/cache/store/indexer.ts": {
    count: 2,
    reason: "The pools that a store is registered with; a pool goes with its last object. " +
      "The other is a reference to each of them, to sum their sizes.",
  },
  "lib/client/config/redact.ts": {
    count: 2,
    reason: "The symbols that Deno's and Node's console.log look for.",
  },
  "lib/client/errors/api_error.ts": { count: 1, reason: MARK },
  "lib/controller/children/redundant_applies.ts": {
    count: 1,
    reason:
      "The applies that a server answered without a change, remembered per cache and for as " +
      "long as the cache exists. A reconciler receives the cache as a reader, which has no field " +
      "for one of its users.",
  },
  "lib/controller/definition/operator_definition.ts": { count: 1, reason: MARK },
  "lib/controller/definition/retry_after_error.ts": { count: 1, reason: MARK },
  "lib/controller/definition/terminal_error.ts": { count: 1, reason: MARK },
  "lib/webhook/admission/denial.ts": { count: 1, reason: MARK },
  "lib/client/config/config.ts": { count: 1, reason: MARK },
  "lib/client/discovery/rest_mapping_error.ts": { count: 2, reason: MARK },
  "lib/client/calls/request_limiter.ts": { count: 1, reason: MARK },
  "lib/client/subresources/wait.ts": { count: 1, reason: MARK },
  "lib/client/errors/unreachable_error.ts": { count: 3, reason: MARK },
  "lib/client/errors/decode_error.ts": { count: 3, reason: MARK },
  "lib/cache/readers/cache_read_error.ts": { count: 1, reason: MARK },
  "lib/manager/leader_election/leadership_lost_error.ts": { count: 1, reason: MARK },
  "lib/manager/runnable_error.ts": { count: 1, reason: MARK },
  "lib/controller/operator/resource_check.ts": { count: 1, reason: MARK },
  "lib/client/transport/dial.ts": { count: 1, reason: MARK },
  "lib/resource/scheme/scheme_error.ts": { count: 1, reason: MARK },
  "lib/resource/schema/schema_error.ts": { count: 1, reason: MARK },
  "lib/resource/definition/definition_error.ts": { count: 1, reason: MARK },
  "lib/project/project.ts": { count: 1, reason: MARK },
  "lib/manager/setup/missing_right_error.ts": { count: 1, reason: MARK },
  "lib/cache/store/index_error.ts": { count: 1, reason: MARK },
  "lib/controller/children/child_ownership.ts": { count: 1, reason: MARK },
  "lib/resource/evolution/read_definitions.ts": { count: 1, reason: MARK },
  "lib/resource/validation/conversion_error.ts": { count: 1, reason: MARK },
  "lib/testing/plane/control_plane_assets.ts": { count: 1, reason: MARK },
  "lib/project/deploy/cluster_run.ts": { count: 1, reason: MARK },
  "lib/controller/sources/cache_sync.ts": { count: 1, reason: MARK },
};
