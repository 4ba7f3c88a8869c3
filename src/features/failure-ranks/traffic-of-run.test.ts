import { expect, test } from 'vitest';
import { trafficOfRun } from './traffic-of-run.ts';

const RUN = { serviceName: 'shop', framework: 'crewai', agents: ['clerk', 'buyer'] };

test.each([
  ['the order of its agents', { agents: ['buyer', 'clerk'] }, true],
  ['an agent named twice', { agents: ['clerk', 'buyer', 'clerk'] }, true],
  ['another service', { serviceName: 'desk' }, false],
  ['no service', { serviceName: null }, false],
  ['another framework', { framework: 'ag2' }, false],
  ['an agent more', { agents: ['clerk', 'buyer', 'cook'] }, false],
  ['the same letters cut otherwise', { serviceName: 'shop crewai', framework: '' }, false],
])('%s: the same traffic?', (_, change, isSame) => {
  expect(trafficOfRun({ ...RUN, ...change }) === trafficOfRun(RUN)).toBe(isSame);
});
