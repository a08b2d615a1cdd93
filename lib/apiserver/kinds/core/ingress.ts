import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "@xca/apimachinery/internal/errors";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  invalidForEach,
  parseIp,
  pathSegmentNameProblems,
  subdomainNameProblems,
  wildcardSubdomainProblems,
} from "@xca/apimachinery/internal/validation";
import type { V1Ingress } from "@xca/apimachinery/kubernetes-types";
import type { KindStrategy } from "../../machinery/strategy.ts";
import { checkLegacyIp } from "../../validation/ip_fields.ts";
import { portNameProblems, portNumberProblems } from "../../validation/ports.ts";
import { beginGeneration, countGeneration } from "./generation.ts";
import { typedStrategy } from "../../machinery/typed_strategy.ts";

type Spec = NonNullable<V1Ingress["spec"]>;
type Rule = NonNullable<Spec["rules"]>[number];
type Path = NonNullable<Rule["http"]>["paths"][number];
type Backend = Path["backend"];

const SPEC = FieldPath.of("spec");
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const PATH_TYPES = ["Exact", "ImplementationSpecific", "Prefix"];
const BAD_SEQUENCES = ["//", "/./", "/../", "%2f", "%2F"];
const BAD_ENDS = ["/..", "/."];

/**
 * A record of the rules of Ingresses that an update may break (`true`), since the stored Ingress
 * breaks them already: those for the Secret names of TLS, and those for the HTTP paths of hosts
 * with a wildcard.
 */
interface Rules {
  readonly secretNames: boolean;
  readonly wildcardRules: boolean;
}

/**
 * The strategy of Ingresses, which sets defaults, prepares objects for storage and validates writes
 * (registry/networking/ingress, `Strategy`).
 */
export const ingressStrategy: KindStrategy = typedStrategy<V1Ingress>({
  defaults(ingress) {
    ingress.spec ??= {};
    ingress.status ??= {};
    ingress.status.loadBalancer ??= {};
  },
  prepareForCreate(ingress) {
    ingress.status = { loadBalancer: {} };
    beginGeneration(ingress);
  },
  validateCreate(ingress) {
    const strict = { secretNames: false, wildcardRules: false };
    return [...validateSpec(ingress.spec!, strict), ...validateClass(ingress)];
  },
  prepareForUpdate(ingress, old) {
    ingress.status = old.status ?? { loadBalancer: {} };
    countGeneration(ingress, old, ingress.spec, old.spec);
  },
  validateUpdate: ({ spec }, old) => validateSpec(spec!, rulesFor(old)),
  warnings({ metadata, spec }, old) {
    const annotated = metadata.annotations?.[CLASS_ANNOTATION] !== undefined;
    if (old || !annotated || spec?.ingressClassName !== undefined) return [];
    return [
      `annotation "${CLASS_ANNOTATION}" is deprecated, please use 'spec.ingressClassName' instead`,
    ];
  },
  status: {
    prepareForUpdate(ingress, old) {
      ingress.spec = old.spec!;
    },
    validateUpdate: validateStatus,
  },
});

function rulesFor({ spec = {} }: V1Ingress): Rules {
  const secretNames = (spec.tls ?? []).some(({ secretName }) =>
    secretName && subdomainNameProblems(secretName, false).length > 0
  );
  const wildcardRules = (spec.rules ?? []).some((rule) =>
    rule.host?.includes("*") && validateHttp(rule, SPEC).length > 0
  );
  return { secretNames, wildcardRules };
}

function validateClass({ metadata, spec }: V1Ingress): FieldError[] {
  const annotation = metadata.annotations?.[CLASS_ANNOTATION];
  const name = spec?.ingressClassName;
  if (annotation === undefined || name === undefined || annotation === name) return [];
  const path = FieldPath.of("annotations", CLASS_ANNOTATION);
  return [invalid(path, annotation, "must match `ingressClassName` when both are specified")];
}

function validateSpec(spec: Spec, rules: Rules): FieldError[] {
  const errors: FieldError[] = [];
  const { defaultBackend, rules: ingressRules = [], ingressClassName } = spec;
  if (ingressRules.length === 0 && !defaultBackend) {
    errors.push(invalid(SPEC, null, "either `defaultBackend` or `rules` must be specified"));
  }
  if (defaultBackend) {
    errors.push(...validateBackend(defaultBackend, SPEC.child("defaultBackend")));
  }
  for (const [index, rule] of ingressRules.entries()) {
    errors.push(...validateRule(rule, SPEC.child("rules").index(index), rules));
  }
  errors.push(...validateTls(spec, rules));
  if (ingressClassName !== undefined) {
    const problems = subdomainNameProblems(ingressClassName, false);
    errors.push(...invalidForEach(SPEC.child("ingressClassName"), ingressClassName, problems));
  }
  return errors;
}

function hostProblems(host: string): string[] {
  return host.includes("*") ? wildcardSubdomainProblems(host) : dnsSubdomainProblems(host);
}

function validateTls({ tls = [] }: Spec, rules: Rules): FieldError[] {
  return tls.flatMap(({ hosts = [], secretName = "" }, index) => {
    const path = SPEC.child("tls").index(index);
    const errors = hosts.flatMap((host, at) =>
      invalidForEach(path.child("hosts").index(at), host, hostProblems(host))
    );
    if (secretName === "" || rules.secretNames) return errors;
    const problems = subdomainNameProblems(secretName, false);
    return [...errors, ...invalidForEach(path.child("secretName"), secretName, problems)];
  });
}

function validateRule(rule: Rule, path: FieldPath, rules: Rules): FieldError[] {
  const { host = "" } = rule;
  const errors: FieldError[] = [];
  if (host !== "") {
    if (parseIp(host)) {
      errors.push(invalid(path.child("host"), host, "must be a DNS name, not an IP address"));
    }
    errors.push(...invalidForEach(path.child("host"), host, hostProblems(host)));
  }
  if (host.includes("*") && rules.wildcardRules) return errors;
  return [...errors, ...validateHttp(rule, path)];
}

function validateHttp({ http }: Rule, rulePath: FieldPath): FieldError[] {
  if (!http) return [];
  const path = rulePath.child("http", "paths");
  const paths = http.paths ?? [];
  if (paths.length === 0) return [required(path)];
  return paths.flatMap((each, index) => validatePath(each, path.index(index)));
}

function validatePath({ path = "", pathType, backend }: Path, at: FieldPath): FieldError[] {
  if (pathType === undefined || pathType === null) {
    return [required(at.child("pathType"), "pathType must be specified")];
  }
  const errors: FieldError[] = [];
  const refuse = (detail: string): void =>
    void errors.push(invalid(at.child("path"), path, detail));
  if (!PATH_TYPES.includes(pathType)) {
    errors.push(notSupported(at.child("pathType"), pathType, PATH_TYPES));
  } else {
    const specific = pathType === "ImplementationSpecific";
    if (!path.startsWith("/") && !(specific && path === "")) refuse("must be an absolute path");
    if (!specific) {
      for (const text of BAD_SEQUENCES) {
        if (path.includes(text)) refuse(`must not contain '${text}'`);
      }
      for (const text of BAD_ENDS) if (path.endsWith(text)) refuse(`cannot end with '${text}'`);
    }
  }
  return [...errors, ...validateBackend(backend ?? {}, at.child("backend"))];
}

function validateBackend({ resource, service }: Backend, path: FieldPath): FieldError[] {
  if (resource && service) {
    return [invalid(path, "", "cannot set both resource and service backends")];
  }
  if (resource) return validateReference(resource, path.child("resource"));
  if (!service) return [invalid(path, "", "resource or service backend is required")];
  const errors: FieldError[] = [];
  const at = path.child("service");
  if (!service.name) errors.push(required(at.child("name")));
  else {
    const problems = dnsLabelProblems(service.name);
    errors.push(...invalidForEach(at.child("name"), service.name, problems));
  }
  const { name = "", number = 0 } = service.port ?? {};
  if (name !== "" && number !== 0) {
    errors.push(invalid(path, "", "cannot set both port name & port number"));
  } else if (name !== "") {
    errors.push(...invalidForEach(at.child("port", "name"), name, portNameProblems(name)));
  } else if (number !== 0) {
    errors.push(...invalidForEach(at.child("port", "number"), number, portNumberProblems(number)));
  } else errors.push(required(path, "port name or number is required"));
  return errors;
}

/**
 * Validates a reference to an object, by API group, kind and name, in an Ingress or an
 * IngressClass.
 */
export function validateReference(
  { apiGroup, kind = "", name = "" }: { apiGroup?: string; kind?: string; name?: string },
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (typeof apiGroup === "string") {
    errors.push(
      ...invalidForEach(path.child("apiGroup"), apiGroup, dnsSubdomainProblems(apiGroup)),
    );
  }
  for (const [field, value] of [["kind", kind], ["name", name]] as const) {
    const at = path.child(field);
    if (value === "") errors.push(required(at));
    else errors.push(...invalidForEach(at, value, pathSegmentNameProblems(value, false)));
  }
  return errors;
}

function validateStatus({ status }: V1Ingress, old: V1Ingress): FieldError[] {
  const existing = (old.status?.loadBalancer?.ingress ?? []).flatMap(({ ip }) => ip ? [ip] : []);
  return (status?.loadBalancer?.ingress ?? []).flatMap(({ ip = "", hostname = "" }, index) => {
    const path = FieldPath.of("status", "loadBalancer", "ingress").index(index);
    const errors = ip === "" ? [] : checkLegacyIp(path.child("ip"), ip, existing);
    if (hostname === "") return errors;
    const at = path.child("hostname");
    errors.push(...invalidForEach(at, hostname, dnsSubdomainProblems(hostname)));
    if (parseIp(hostname)) {
      errors.push(invalid(at, hostname, "must be a DNS name, not an IP address"));
    }
    return errors;
  });
}
