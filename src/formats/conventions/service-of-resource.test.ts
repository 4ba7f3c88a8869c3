import { expect, test } from 'vitest';
import { serviceOfResource } from './service-of-resource.ts';

test.each([
  [{ 'service.name': 'press' }, 'press'],
  [{ 'openinference.project.name': 'print shop' }, 'print shop'],
  [{ 'service.name': 'unknown_service:node', 'openinference.project.name': 'print shop' }, 'print shop'],
  [{ 'service.name': 'press', 'openinference.project.name': 'default' }, 'press'],
  [{ 'service.name': 'unknown_service:node' }, 'unknown_service:node'],
  [{}, null],
])('the service of %j', (resource, service) => expect(serviceOfResource(resource)).toBe(service));
