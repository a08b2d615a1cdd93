import { checkOptionNames, type OptionNames } from "@xca/apimachinery/internal/base";
import type { ResourceType } from "@xca/apimachinery/meta";
import type {
  AdmitOptions,
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  SelectOptions,
  WatchOptions,
  WriteOptions,
} from "../calls/options.ts";

const CALL: OptionNames<CallOptions> = { signal: true, timeoutMs: true, caller: true };
const ADMIT: OptionNames<AdmitOptions> = { admit: true };
const SELECT: OptionNames<SelectOptions> = {
  namespace: true,
  labelSelector: true,
  fieldSelector: true,
  ...CALL,
};
const WRITE: OptionNames<WriteOptions> = {
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
  ...CALL,
  ...ADMIT,
};
const CREATE: OptionNames<CreateOptions> = { namespace: true, ...WRITE };
const DELETE: OptionNames<Omit<DeleteOptions, "preconditions">> = {
  dryRun: true,
  propagationPolicy: true,
  gracePeriodSeconds: true,
  ...CALL,
  ...ADMIT,
};
const PRECONDITIONS: OptionNames<NonNullable<DeleteOptions["preconditions"]>> = {
  uid: true,
  resourceVersion: true,
};

/**
 * The names of the options of each write and read of a resource, by the verb phrase that names the
 * call in error messages. {@linkcode checkOptions} refuses all other names.
 */
const KNOWN: {
  readonly get: OptionNames<GetOptions>;
  readonly list: OptionNames<ListOptions>;
  readonly watch: OptionNames<WatchOptions>;
  readonly create: OptionNames<CreateOptions>;
  readonly update: OptionNames<WriteOptions>;
  readonly patch: OptionNames<WriteOptions>;
  readonly apply: OptionNames<ApplyOptions>;
  readonly delete: OptionNames<DeleteOptions>;
  readonly "delete the collection of": OptionNames<DeleteCollectionOptions>;
  readonly evict: OptionNames<DeleteOptions>;
  readonly bind: OptionNames<WriteOptions & { readonly uid?: string | undefined }>;
  readonly "update the scale of": OptionNames<WriteOptions>;
} = {
  get: { resourceVersion: true, ...CALL },
  list: { limit: true, resourceVersion: true, resourceVersionMatch: true, ...SELECT },
  watch: {
    resourceVersion: true,
    resourceVersionMatch: true,
    allowWatchBookmarks: true,
    sendInitialEvents: true,
    timeoutSeconds: true,
    idleTimeoutMs: true,
    ...SELECT,
  },
  create: CREATE,
  update: WRITE,
  patch: WRITE,
  apply: { force: true, ...CREATE },
  delete: { preconditions: PRECONDITIONS, ...DELETE },
  "delete the collection of": { ...SELECT, ...DELETE },
  evict: { preconditions: PRECONDITIONS, ...DELETE },
  bind: { uid: true, ...WRITE },
  "update the scale of": WRITE,
};

/**
 * Checks the names of a call's options: a misspelt selector would select everything, and a misspelt
 * precondition would guard nothing. Options that are `undefined` count as absent.
 *
 * @throws {TypeError} When the options are not an object, or one of them is unknown.
 */
export function checkOptions(
  verb: keyof typeof KNOWN,
  { id }: Pick<ResourceType, "id">,
  options: object,
): void {
  checkOptionNames(`Cannot ${verb} ${id}`, options, KNOWN[verb] as OptionNames<object>);
}

/**
 * Checks that the preconditions of a deletion, if given, have a UID or a resourceVersion.
 *
 * @throws {TypeError} When neither has a value.
 */
export function checkPreconditions(
  { id }: Pick<ResourceType, "id">,
  { preconditions }: Pick<DeleteOptions, "preconditions">,
  verb: "delete" | "evict" = "delete",
): void {
  if (preconditions === undefined) return;
  if (preconditions.uid !== undefined || preconditions.resourceVersion !== undefined) return;
  throw new TypeError(
    `Cannot ${verb} ${id}: its preconditions have neither a UID nor a resourceVersion; leave them out`,
  );
}
