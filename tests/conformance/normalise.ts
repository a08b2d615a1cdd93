/**
 * Makes the responses of two servers comparable: values that each server chooses (UIDs, versions,
 * times, addresses, the names of a run) become placeholders, equal for equal values and, for
 * versions, in their order.
 *
 * @module
 */

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const TIME = /\b\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z\b/g;
/** One that the server chose, as a message or a table repeats it. */
const NODE_PORT = /\b(Duplicate value: |duplicate nodePort: \{\w+ |\d+:(?=\d+\/))(3[0-2]\d{3})\b/g;
/** The two versions of a failed precondition. */
const NAMED_VERSION =
  /(ResourceVersion in (?:the precondition \(|record \(|precondition: |object meta: ))(\d+)/g;
/** The revision of an object that a conversion webhook cannot convert. */
const UNDECODABLE = /(object not decodable revision=)\d+/g;
/** Matches an address of the service range of both servers. */
const CLUSTER_IP = /\b10\.0\.\d{1,3}\.\d{1,3}\b/g;

/** One exchange as it is recorded. */
export interface Exchange {
  /** Method and path. */
  readonly request: string;
  readonly code: number;
  readonly body?: unknown;
  /** The `Warning` headers' texts. */
  readonly warnings?: readonly string[];
}

/** The facts of a case that the normalizer needs. */
export interface NormaliseOptions {
  /** Keep `metadata.managedFields`. */
  readonly managedFields: boolean;
  /**
   * Reports whether the calls are random, so that they can meet random behaviour of kube-apiserver.
   */
  readonly random?: boolean;
  /** Texts of this run, and the placeholder of each. */
  readonly names: ReadonlyMap<string, string>;
  /** More patterns, and the placeholder of each. */
  readonly masks: readonly (readonly [RegExp, string])[];
}

/** All exchanges of one case, normalised together. */
export function normalise(
  exchanges: readonly Exchange[],
  options: NormaliseOptions,
): Exchange[] {
  const versions = rankVersions(exchanges);
  const uids = new Map<string, string>();
  const ips = new Allocated("ip");
  const ports = new Allocated("port");
  /** The object whose address is shown: a released address may be allocated to another object. */
  let owner: string | undefined;
  const names = [...options.names].sort(([a], [b]) => b.length - a.length);

  const text = (value: string): string => {
    let result = value;
    for (const [name, placeholder] of names) result = result.replaceAll(name, placeholder);
    for (const [pattern, placeholder] of options.masks) {
      result = result.replace(pattern, placeholder);
    }
    return result.replace(UID, (uid) => numbered(uids, uid, "uid"))
      .replace(TIME, (time) => time.includes(".") ? "<micro time>" : "<time>")
      .replace(NODE_PORT, (_, what, port) => what + ports.show(port, owner))
      .replace(
        NAMED_VERSION,
        (_, what, version) => `${what}${versions.get(version) ?? SERVER_VERSION}`,
      )
      .replace(UNDECODABLE, "$1<revision>")
      .replace(CLUSTER_IP, (ip) => ips.show(ip, owner));
  };

  const visit = (value: unknown, key: string, ofServer = false): unknown => {
    if (typeof value === "string") {
      if (key === "resourceVersion" && ofServer) return SERVER_VERSION;
      if (key === "resourceVersion") return versions.get(value) ?? value;
      if (key === "continue" && value !== "") return "<continue>";
      return text(value);
    }
    if (key === "nodePort" && typeof value === "number") return ports.show(value, owner);
    if (Array.isArray(value)) {
      const items = value.map((item) => visit(item, "", ofServer));
      // Their order depends on whether two writes fell into one second.
      return key === "managedFields" ? items.sort(byText) : items;
    }
    if (value === null || typeof value !== "object") return value;
    const { uid } = (value as Owned).metadata ?? (value as Owned).object?.metadata ?? {};
    if (options.random && uid !== undefined && uid !== owner) {
      const outer = owner;
      owner = uid;
      const shown = visit(value, key, ofServer);
      owner = outer;
      return shown;
    }
    const entries = Object.entries(inOrder(value, options.random === true))
      .sort(([a], [b]) => placeOf(a) - placeOf(b))
      .filter(([name]) => name !== "managedFields" || options.managedFields)
      .map(([name, inner]) =>
        [text(name), visit(inner, name, ofServer || isOfServer(value, name))] as const
      )
      .sort(([a], [b]) => a < b ? -1 : 1);
    return Object.fromEntries(entries);
  };

  return exchanges.map(({ request, code, body, warnings }) => ({
    request: text(request)
      .replace(/(resourceVersion=)[1-9]\d+/, "$1<version>")
      .replace(/(continue=)eyJ[^&]+/, "$1<continue>"),
    code,
    ...(body !== undefined && { body: visit(body, "") }),
    ...(warnings?.length && { warnings: warnings.map(text) }),
  }));
}

/** An object's own identity is numbered before those that it refers to. */
function placeOf(field: string): number {
  const place = ["metadata", "uid", "ownerReferences"].indexOf(field);
  return place === -1 ? 3 : place;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function numbered<T>(seen: Map<T, string>, value: T, what: string): string {
  const known = seen.get(value);
  if (known !== undefined) return known;
  const placeholder = `<${what} ${seen.size + 1}>`;
  seen.set(value, placeholder);
  return placeholder;
}

/** An object, or something around one. */
interface Owned {
  readonly metadata?: { readonly uid?: string };
  readonly object?: Owned;
}

/** The placeholders of values that a server allocates from a small range: one number per object. */
class Allocated {
  readonly #what: string;
  readonly #seen = new Map<string, string>();
  readonly #latest = new Map<string | number, string>();

  constructor(what: string) {
    this.#what = what;
  }

  show(value: string | number, owner: string | undefined): string {
    const known = this.#latest.get(value);
    const placeholder = owner === undefined && known !== undefined
      ? known
      : numbered(this.#seen, `${owner} ${value}`, this.#what);
    this.#latest.set(value, placeholder);
    return placeholder;
  }
}

/** The version of a list or a bookmark: how far the whole server is, others' writes included. */
const SERVER_VERSION = "<server's version>";

/**
 * The real server walks maps, in no order: where it looks for what is wrong with a custom object, with
 * the keys of a ConfigMap or a Secret, and where it names the managers of a conflict. Such causes are
 * sorted, and so is the sentence made of them; the others stay where they are, but for those of one map
 * of labels where chance may have made several of it wrong.
 */
function inOrder(value: object, random: boolean): object {
  const { reason, details, message } = value as Partial<Refusal>;
  const { causes } = details ?? {};
  if (!causes || causes.length < 2) return value;
  const inNoOrder = unorderedCauses(reason!, details!);
  const sorted = causes.filter(inNoOrder).sort(reason === "Conflict" ? byMessage : byText);
  const maps = random ? sortedMaps(causes) : new Map<string, Cause[]>();
  if (sorted.length < 2 && maps.size === 0) return value;
  const ordered = causes.map((cause) =>
    inNoOrder(cause) ? sorted.shift()! : maps.get(cause.field ?? "")?.shift() ?? cause
  );
  if (reason === "Conflict") return { ...value, details: { ...details, causes: ordered } };
  const [what] = /^.*? is invalid: /s.exec(message!)!;
  const sentences = new Set(ordered.map((cause) => `${cause.field}: ${cause.message}`));
  return {
    ...value,
    message: `${what}[${[...sentences].join(", ")}]`,
    details: { ...details, causes: ordered },
  };
}

/** Which causes of a refusal are in no order. */
function unorderedCauses(
  reason: string,
  { group = "", kind }: Refusal["details"],
): (cause: Cause) => boolean {
  if (reason === "Conflict") return () => true;
  if (reason !== "Invalid") return () => false;
  if (group.includes(".") && !group.endsWith(".k8s.io")) return () => true;
  if (kind !== "ConfigMap" && kind !== "Secret") return () => false;
  return ({ field = "", reason }) =>
    /^(data|binaryData)\[/.test(field) && reason === "FieldValueInvalid";
}

/** Returns the errors about entries of maps such as labels, sorted, by the field of the map. */
function sortedMaps(causes: readonly Cause[]): Map<string, Cause[]> {
  const maps = Map.groupBy(
    causes.filter(({ field = "" }) => TEXT_MAP.test(field)),
    ({ field }) => field!,
  );
  for (const found of maps.values()) found.sort(byText);
  return maps;
}

/** Maps of any kind whose entries are looked at one by one. */
const TEXT_MAP = /(^|\.)(labels|annotations|matchLabels|nodeSelector|selector)$/;

/** The paths of one manager are in order. */
function byMessage(a: Cause, b: Cause): number {
  return a.message! < b.message! ? -1 : a.message === b.message ? 0 : 1;
}

interface Cause {
  readonly field?: string;
  readonly message?: string;
  readonly reason?: string;
}

interface Refusal {
  readonly reason: string;
  readonly message: string;
  readonly details: {
    readonly group?: string;
    readonly kind?: string;
    readonly causes?: readonly Cause[];
  };
}

/** Reports whether versions in this field are the server's, not an object's. */
function isOfServer(parent: object, field: string): boolean {
  const { items, rows, type } = parent as { items?: unknown; rows?: unknown; type?: unknown };
  if (field === "metadata") return Array.isArray(items) || items === null || Array.isArray(rows);
  return field === "object" && type === "BOOKMARK";
}

/** Each object's resourceVersion by its rank among all those seen. */
function rankVersions(exchanges: readonly Exchange[]): Map<string, string> {
  const seen = new Set<string>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== "object") return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "resourceVersion" && typeof inner === "string") {
        if (/^[1-9][0-9]*$/.test(inner)) seen.add(inner);
      } else if (!isOfServer(value, key)) visit(inner);
    }
  };
  for (const { body } of exchanges) visit(body);
  const sorted = [...seen].sort((a, b) => Number(BigInt(a) - BigInt(b)));
  return new Map(sorted.map((version, rank) => [version, `<version ${rank + 1}>`]));
}
