import type { TenantDetection } from '../analysis/tenant-detection.ts';
import { defineTask, type OffloadContext } from '../offload/task.ts';
import type { Channel } from '../predictions/text-channel.ts';
import {
  type ContextRatios,
  type CostFigures,
  createSecurityService,
  type HallucinationFigures,
  type InjectionCheck,
  type OverflowCheck,
  type SecurityService,
} from './security.service.ts';

/** A task with one call of the service. */
function checkTask<Output>() {
  return <Input>(name: string, check: (service: SecurityService, input: Input) => Output) =>
    defineTask<Output>()<Input>({
      name,
      kind: 'check',
      *run({ models }: OffloadContext, input) {
        yield JSON.stringify(check(createSecurityService(models), input));
      },
    });
}

export const injectionTask = checkTask<InjectionCheck>()(
  'security.injection',
  (service, { text, channel, tenant }: { text: string; channel?: Channel; tenant?: TenantDetection }) =>
    service.checkInjection(text, channel, tenant),
);

export const hallucinationTask = checkTask<HallucinationFigures>()(
  'security.hallucination',
  (service, { output, sources }: { output: string; sources: string[] }) => service.checkHallucination(output, sources),
);

export const overflowTask = checkTask<OverflowCheck>()(
  'security.overflow',
  (service, { text, model, ratios }: { text: string; model: string; ratios?: ContextRatios }) =>
    service.checkOverflow(text, model, ratios),
);

export const costTask = checkTask<CostFigures>()(
  'security.cost',
  (service, { text, model }: { text: string; model: string }) => service.calculateCost(text, model),
);

export const securityTasks = [injectionTask, hallucinationTask, overflowTask, costTask];
