import type { Json } from '../../core/json.ts';
import type { CalibrationService } from '../calibration/calibration.service.ts';
import { calibrationChange, toSettings } from '../calibration/calibration-change.ts';
import type { SettingsService } from '../settings/settings.service.ts';
import { overridesChange, switchesChange } from '../settings/settings-change.ts';
import type { ThresholdService } from '../settings/threshold.service.ts';
import { thresholdsChange } from '../settings/threshold-change.ts';

export interface SettingServices {
  settings: SettingsService;
  thresholds: ThresholdService;
  calibration: CalibrationService;
}

/** A setting as exported, and imported under the same rules as a change by a user. */
interface ExportedSetting {
  name: string;
  read(services: SettingServices, tenantId: string): Promise<Json>;
  /** @throws Error for an invalid value */
  write(services: SettingServices, tenantId: string, value: Json): Promise<unknown>;
}

/** No secrets, such as chat addresses, and nothing that controls deletion or data transfer. */
const EXPORTED_SETTINGS: readonly ExportedSetting[] = [
  {
    name: 'thresholds',
    async read({ thresholds }, tenantId) {
      const { global, frameworks } = await thresholds.get(tenantId, null);
      return { global, frameworks } as unknown as Json;
    },
    write: ({ thresholds }, tenantId, value) => thresholds.change(tenantId, thresholdsChange.parse(value)),
  },
  {
    name: 'detectors',
    async read({ settings }, tenantId) {
      const switches = await settings.detectors(tenantId);
      const changed = switches.filter((one) => !one.enabled || one.reports_previews);
      return Object.fromEntries(changed.map((one) => [one.detector, one.enabled]));
    },
    write: ({ settings }, tenantId, value) => settings.switchDetectors(tenantId, switchesChange.parse(value)),
  },
  {
    name: 'detector_overrides',
    async read({ settings }, tenantId) {
      const detectors = Object.entries(await settings.overrides(tenantId));
      const own = detectors.flatMap(([name, { override, subtypes }]): [string, number | null][] => [
        [name, override],
        ...Object.entries(subtypes).map(([subtype, of]): [string, number | null] => [
          `${name}/${subtype}`,
          of.override,
        ]),
      ]);
      return Object.fromEntries(own.filter(([, override]) => override !== null));
    },
    write: ({ settings }, tenantId, value) => settings.changeOverrides(tenantId, overridesChange.parse(value)),
  },
  {
    name: 'calibration',
    async read({ calibration }, tenantId) {
      const { enabled, target_alert_rate } = await calibration.get(tenantId);
      return { enabled, target_alert_rate };
    },
    write: ({ calibration }, tenantId, value) =>
      calibration.change(tenantId, toSettings(calibrationChange.parse(value))),
  },
];

export async function readExportedSettings(
  services: SettingServices,
  tenantId: string,
): Promise<{ name: string; value: Json }[]> {
  const settings: { name: string; value: Json }[] = [];
  for (const { name, read } of EXPORTED_SETTINGS) settings.push({ name, value: await read(services, tenantId) });
  return settings;
}

/** @returns why it was rejected; null if it was applied */
export async function applyExportedSetting(
  services: SettingServices,
  tenantId: string,
  { name, value }: { name: string; value: Json },
): Promise<string | null> {
  const setting = EXPORTED_SETTINGS.find((candidate) => candidate.name === name);
  if (!setting) return `there is no setting ${JSON.stringify(name)} that can be imported`;
  try {
    await setting.write(services, tenantId, value);
    return null;
  } catch {
    return `the value of ${name} is none that can be set`;
  }
}
