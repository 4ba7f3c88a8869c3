import { z } from 'zod';
import { productOf } from '../../core/integration.ts';
import { decodeOpenClaw } from '../../formats/openclaw/decode-openclaw.ts';
import type { IntegrationSource, RegistrationKind } from '../integrations/integration-source.ts';
import { assertHasRuns, decodeShallow, webhookJson } from '../integrations/webhook-body.ts';

/** An OpenClaw gateway. It sends data; Misstep never calls it. */
export const openClawInstance: RegistrationKind = {
  name: 'instance',
  path: 'instances',
  idPrefix: 'ins',
  idName: 'instance_id',
  url: 'optional',
  details: {},
  credentials: {},
  hasWebhook: true,
};

/** One of the agents that a gateway runs. */
export const openClawAgent: RegistrationKind = {
  name: 'agent',
  path: 'agents',
  idPrefix: 'agt',
  idName: 'agent_id',
  parent: { kind: 'instance', isRequired: false },
  url: 'none',
  details: {
    external_id: z.string().trim().min(1).max(128).describe('Its id in OpenClaw, such as `main`'),
  },
  externalIdName: 'external_id',
  credentials: {},
  hasWebhook: true,
};

export const openclaw: IntegrationSource = {
  integration: 'agentsession',
  platform: productOf('agentsession'),
  isAlwaysSigned: false,
  kinds: [openClawInstance, openClawAgent],
  decode(body, receivedAtMs) {
    const value = webhookJson(body);
    assertHasRuns(value);
    return decodeShallow(() => decodeOpenClaw(value, receivedAtMs));
  },
};
