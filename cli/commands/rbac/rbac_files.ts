import { errorText } from "@xca/apimachinery/base";
import {
  accessOfAudit,
  type GrantingManifest,
  type ObservedAccess,
  parseAudit,
  parseObservation,
} from "../../../lib/rbac/mod.ts";
import type { CliContext } from "../../context.ts";
import { fileProblem } from "../../file_problem.ts";
import { UsageError } from "../../usage_error.ts";

/**
 * Reads the manifests of a YAML file, of RBAC and of other kinds. A `List` is replaced by its
 * items; a document without a kind is left out.
 *
 * @throws {UsageError} When the file cannot be read, has neither a Role nor a ClusterRole, or has a
 * malformed RBAC object.
 */
export async function readManifests(
  path: string,
  context: CliContext,
): Promise<GrantingManifest[]> {
  const text = await readText("--manifests", path, context);
  const { loadAll } = await import("js-yaml");
  let documents: unknown[];
  try {
    documents = loadAll(text) as unknown[];
  } catch (error) {
    const [first = ""] = errorText(error).split("\n");
    throw new UsageError(`--manifests ${path} is not YAML: ${first}`, { cause: error });
  }
  const manifests = documents.flatMap(itemsOf);
  const broken = manifests.find((manifest) => !isGranting(manifest));
  if (broken) {
    const { kind, metadata } = broken;
    throw new UsageError(
      `--manifests ${path}: ${kind} ${
        JSON.stringify(metadata?.name)
      } is no RBAC object: its rules, ` +
        "its roleRef or its subjects are malformed",
    );
  }
  if (manifests.some(({ kind }) => kind?.endsWith("Role"))) return manifests;
  throw new UsageError(`--manifests ${path} has no Role and no ClusterRole`);
}

function itemsOf(document: unknown): GrantingManifest[] {
  if (typeof document !== "object" || document === null) return [];
  const { kind, items } = document as { readonly kind?: unknown; readonly items?: unknown };
  if (kind === "List" && Array.isArray(items)) return items.flatMap(itemsOf);
  return typeof kind === "string" ? [document as GrantingManifest] : [];
}

const RBAC_KINDS = ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];

/**
 * Reports whether the fields of an RBAC object are well-formed, to the extent that a comparison of
 * RBAC manifests reads them; true for objects of other kinds.
 */
function isGranting({ kind = "", metadata, rules, roleRef, subjects }: GrantingManifest): boolean {
  if (!RBAC_KINDS.includes(kind)) return true;
  const isList = (value: unknown): boolean => value === undefined || Array.isArray(value);
  const isTexts = (value: unknown): boolean =>
    isList(value) && ((value ?? []) as unknown[]).every((each) => typeof each === "string");
  return isRecord(metadata) && isList(rules ?? []) &&
    (rules ?? []).every((rule: unknown) =>
      isRecord(rule) && Object.values(rule).every(isTexts) &&
      Array.isArray(rule.verbs)
    ) &&
    (roleRef === undefined || isRecord(roleRef)) &&
    isList(subjects ?? []) && (subjects ?? []).every(isRecord);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Reads the accesses of a recording, or of an audit log.
 *
 * @param user The name of the user whose requests in an audit log count; `undefined` for all.
 *
 * @throws {UsageError} When the file cannot be read, is neither a recording nor an audit log, or is
 * a recording and a user is given.
 */
export async function readObserved(
  path: string,
  user: string | undefined,
  context: CliContext,
): Promise<ObservedAccess[]> {
  const text = await readText("--observed", path, context);
  let recording: ObservedAccess[] | undefined;
  try {
    recording = parseObservation(text);
  } catch (error) {
    throw new UsageError(`--observed ${path}: ${errorText(error)}`, { cause: error });
  }
  if (recording) {
    if (user === undefined) return recording;
    throw new UsageError(
      `--observed-user is about an audit log, and --observed ${path} is a recording`,
    );
  }
  const events = parseAudit(text);
  if (events) return accessOfAudit(events, user);
  throw new UsageError(
    `--observed ${path} is neither a recording (the text of recordAccess) nor an audit log`,
  );
}

async function readText(flag: string, path: string, context: CliContext): Promise<string> {
  try {
    return new TextDecoder().decode(await context.host.readFile(path));
  } catch (error) {
    throw new UsageError(
      `${flag} ${path} cannot be read: ${fileProblem(error, path, "name a file that exists")}`,
      { cause: error },
    );
  }
}
