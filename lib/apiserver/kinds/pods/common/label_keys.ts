import {
  type FieldError,
  FieldPath,
  forbiddenField,
  invalid,
} from "@xca/apimachinery/internal/errors";
import { type LabelSelectorFields, validateLabelKey } from "@xca/apimachinery/internal/validation";

/**
 * The fields of a pod affinity term or a topology spread constraint by which labels are selected: a
 * label selector, and the keys of labels whose values come from the pod itself.
 */
interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelectorFields;
}

/**
 * Validates the `matchLabelKeys` and `mismatchLabelKeys` of a pod affinity term, or the
 * `matchLabelKeys` of a topology spread constraint (`core/validation/validation.go`,
 * `ValidateMatchLabelKeysAndMismatchLabelKeys`).
 */
export function validateLabelKeys(holder: LabelKeys, path: FieldPath): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = holder;
  const errors = [
    ...validateKeys(matchLabelKeys, labelSelector, path.child("matchLabelKeys")),
    ...validateKeys(mismatchLabelKeys, labelSelector, path.child("mismatchLabelKeys")),
  ];
  const seen = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key = "" } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) {
      const detail = "exists in both matchLabelKeys and labelSelector";
      errors.push(invalid(path.index(index), key, detail));
    }
    seen.add(key);
  }
  for (const [index, key] of matchLabelKeys.entries()) {
    if (!mismatchLabelKeys.includes(key)) continue;
    const at = path.child("matchLabelKeys").index(index);
    errors.push(invalid(at, key, "exists in both matchLabelKeys and mismatchLabelKeys"));
  }
  return errors;
}

function validateKeys(
  keys: readonly string[],
  selector: LabelSelectorFields | undefined,
  path: FieldPath,
): FieldError[] {
  if (keys.length === 0) return [];
  if (!selector) {
    return [forbiddenField(path, "must not be specified when labelSelector is not set")];
  }
  return keys.flatMap((key, index) => validateLabelKey(key, path.index(index)));
}

/**
 * Validates the label keys of a topology spread constraint under the older rule, by which a key may
 * be in the selector or in `matchLabelKeys`, but not in both.
 */
export function validateSeparateLabelKeys(holder: LabelKeys, path: FieldPath): FieldError[] {
  const { matchLabelKeys = [], labelSelector } = holder;
  if (matchLabelKeys.length === 0) return [];
  const inSelector = [
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ];
  const detail = "exists in both matchLabelKeys and labelSelector";
  return [
    ...labelSelector
      ? []
      : [forbiddenField(path, "must not be specified when labelSelector is not set")],
    ...matchLabelKeys.flatMap((key, index) => [
      ...validateLabelKey(key, path.index(index)),
      ...inSelector.includes(key) ? [invalid(path.index(index), key, detail)] : [],
    ]),
  ];
}

/**
 * Reports whether a stored topology spread constraint violates the current rule for
 * `matchLabelKeys`.
 */
export function violatesMatchLabelKeys({ matchLabelKeys, labelSelector }: LabelKeys): boolean {
  const holder = { ...matchLabelKeys && { matchLabelKeys }, ...labelSelector && { labelSelector } };
  return validateLabelKeys(holder, FieldPath.root).length > 0;
}
