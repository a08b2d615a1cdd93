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

/** The names of options, so that the compiler demands each name of an options type. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const CALL: Names<CallOptions> = { signal: true, timeoutMs: true, caller: true };
const ADMIT: Names<AdmitOptions> = { admit: true };
const SELECT: Names<SelectOptions> = {
  namespace: true,
  labelSelector: true,
  fieldSelector: true,
  ...CALL,
};
const WRITE: Names<WriteOptions> = {
  dryRun: true,
  fieldManager: true,
  fieldValidation: true,
  ...CALL,
  ...ADMIT,
};
const CREATE: Names<CreateOptions> = { namespace: true, ...WRITE };
const DELETE: Names<Omit<DeleteOptions, "preconditions">> = {
  dryRun: true,
  propagationPolicy: true,
  gracePeriodSeconds: true,
  ...CALL,
  ...ADMIT,
};
const PRECONDITIONS: Names<NonNullable<DeleteOptions["preconditions"]>> = {
  uid: true,
  resourceVersion: true,
};

/** The options of each verb of a client. */
const KNOWN: {
  readonly get: Names<GetOptions>;
  readonly list: Names<ListOptions>;
  readonly watch: Names<WatchOptions>;
  readonly create: Names<CreateOptions>;
  readonly update: Names<WriteOptions>;
  readonly patch: Names<WriteOptions>;
  readonly apply: Names<ApplyOptions>;
  readonly delete: Names<DeleteOptions>;
  readonly "delete the collection of": Names<DeleteCollectionOptions>;
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
  delete: { preconditions: true, ...DELETE },
  "delete the collection of": { ...SELECT, ...DELETE },
};

/** Options that callers seldom set, which messages leave out. */
const SELDOM = ["caller", "admit"];

/**
 * Checks the names of a call's options: a misspelt selector would select everything, and a misspelt
 * precondition would guard nothing. Options that are `undefined` count as absent.
 *
 * @throws {TypeError} When the options are no object, or one is unknown.
 */
export function checkOptions(
  verb: keyof typeof KNOWN,
  { id }: Pick<ResourceType, "id">,
  options: object,
): void {
  check(`Cannot ${verb} ${id}`, options, KNOWN[verb]);
}

/**
 * Checks the preconditions of a deletion.
 *
 * @throws {TypeError} When one is unknown, or none has a value, so that nothing would be guarded.
 */
export function checkPreconditions(
  { id }: Pick<ResourceType, "id">,
  { preconditions }: Pick<DeleteOptions, "preconditions">,
): void {
  if (preconditions === undefined) return;
  const failure = `Cannot delete ${id}: its preconditions`;
  check(failure, preconditions, PRECONDITIONS);
  if (preconditions.uid !== undefined || preconditions.resourceVersion !== undefined) return;
  throw new TypeError(`${failure} have neither a UID nor a resourceVersion; leave them out`);
}

function check(failure: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`${failure}: the options must be an object`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || Object.hasOwn(known, name)) continue;
    const names = Object.keys(known).filter((each) => !SELDOM.includes(each)).join(", ");
    throw new TypeError(`${failure}: there is no option ${name}, only ${names}`);
  }
}
