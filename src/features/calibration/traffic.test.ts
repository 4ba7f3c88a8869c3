import { describe, expect, it } from 'vitest';
import type { RegisteredDetector } from '../../detectors/registry.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { adaptableKinds } from './traffic.ts';

const MEASURED = { bounds: { level: 'measured' }, type_change: { level: 'measured' } } as const;
const known = (type: string) => DETECTORS.find(({ detector }) => detector.type === type)!;

function kinds(registered: Partial<RegisteredDetector>) {
  return adaptableKinds({ enabled: {}, overrides: {} }, [
    { ...known('state_corruption'), maturity: MEASURED, ...registered },
  ]);
}

describe('adaptableKinds', () => {
  it('has firing, alarm and sure confidence of what is not calibrated', () => {
    const bounds = kinds({ calibration: null }).find(({ subtype }) => subtype === 'bounds');
    expect(bounds).toMatchObject({
      key: 'state_corruption/bounds',
      firing: 0.3,
      alarm: 0.4,
      sure: 0.6,
      usual: 0.4,
      level: 'measured',
      isModel: false,
    });
  });

  it('reads them off a curve', () => {
    const curve = [
      [0, 0],
      [1, 1],
    ] as const;
    const calibration = { threshold: 0.5, curve, tier: 'beta', samples: 50 } as const;
    expect(kinds({ calibration })[0]).toMatchObject({ firing: 0.5, alarm: 0.5, sure: 0.6 });
    // Learnt from how runs ended: the evidence, squeezed below 0.7, must carry the severity too.
    expect(kinds({ calibration: { ...calibration, label: 'run_failed' } })[0]).toMatchObject({
      firing: 0.5,
      alarm: 0.571,
      sure: 0.857,
    });
  });

  it('has no alarm for a preview, and one for a fact', () => {
    expect(kinds({ maturity: {} })[0]).toMatchObject({ level: 'preview', alarm: Number.POSITIVE_INFINITY });
    const maturity = { type_change: { level: 'fact', why: 'It is written there.' } } as const;
    expect(kinds({ maturity })[0]).toMatchObject({ key: 'state_corruption/type_change', level: 'fact', alarm: 0.4 });
  });

  it('leaves out what is off or overridden', () => {
    const registered = [known('state_corruption')];
    expect(adaptableKinds({ enabled: {}, overrides: {} }, registered)).not.toEqual([]);
    expect(adaptableKinds({ enabled: { state_corruption: false }, overrides: {} }, registered)).toEqual([]);
    expect(adaptableKinds({ enabled: {}, overrides: { state_corruption: 0.4 } }, registered)).toEqual([]);
  });
});
