import { AppError } from '../../core/app-error.ts';
import { effectiveThresholds, type ThresholdSettings, type Thresholds } from '../../core/thresholds.ts';
import { type ThresholdChange, withChange } from './threshold-fields.ts';

/** Flat fields mean the same as those under `global`; null resets a framework. */
export interface ThresholdSettingsChange extends ThresholdChange {
  global?: ThresholdChange | undefined;
  frameworks?: Readonly<Record<string, ThresholdChange | null>> | undefined;
}

/** A tenant's frameworks come from its traces, so more than this is a mistake. */
const MAX_FRAMEWORKS = 100;

/** @throws AppError `invalid_body` if the change contradicts itself or the resulting settings */
export function changeThresholds(settings: ThresholdSettings, change: ThresholdSettingsChange): ThresholdSettings {
  const { global = {}, frameworks = {}, ...flat } = change;
  requireOneValue(flat, global);
  const changed = {
    global: withChange(withChange(settings.global, flat), global),
    frameworks: changeFrameworks(settings.frameworks, frameworks),
  };
  requireOrder(changed);
  return changed;
}

/** The settings after a framework, or everything, was reset to the defaults. */
export function resetThresholds(settings: ThresholdSettings, framework: string | null): ThresholdSettings {
  if (framework === null) return { global: {}, frameworks: {} };
  return { ...settings, frameworks: changeFrameworks(settings.frameworks, { [framework]: null }) };
}

function changeFrameworks(
  before: ThresholdSettings['frameworks'],
  changes: Readonly<Record<string, ThresholdChange | null>>,
): ThresholdSettings['frameworks'] {
  const after = new Map<string, Partial<Thresholds>>(Object.entries(before));
  for (const [name, change] of Object.entries(changes)) {
    const own = change === null ? {} : withChange(after.get(name) ?? {}, change);
    if (Object.keys(own).length === 0) after.delete(name);
    else after.set(name, own);
  }
  if (after.size > MAX_FRAMEWORKS)
    rejectThresholds('/frameworks', `at most ${MAX_FRAMEWORKS} frameworks may have their own`);
  return Object.fromEntries(after);
}

function requireOneValue(flat: ThresholdChange, global: ThresholdChange): void {
  for (const [name, value] of Object.entries(flat)) {
    const other = global[name as keyof ThresholdChange];
    if (value !== undefined && other !== undefined && other !== value)
      rejectThresholds(`/${name}`, `is given as ${value}, and as ${other} under global`);
  }
}

/** A warning ratio above the critical ratio would have no effect. */
function requireOrder(settings: ThresholdSettings): void {
  for (const framework of [null, ...Object.keys(settings.frameworks)]) {
    const { contextWarningRatio, contextCriticalRatio } = effectiveThresholds(settings, framework);
    if (contextWarningRatio <= contextCriticalRatio) continue;
    const pointer = framework === null ? '/context_warning_ratio' : `/frameworks/${escaped(framework)}`;
    rejectThresholds(
      pointer,
      `context_warning_ratio would be ${contextWarningRatio}, above context_critical_ratio ${contextCriticalRatio}`,
    );
  }
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function rejectThresholds(pointer: string, message: string): never {
  throw new AppError('invalid_body', 'Request body failed validation.', { errors: [{ pointer, message }] });
}
