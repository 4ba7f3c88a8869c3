import { describe, expect, it } from 'vitest';
import { redactPath } from './redact-path.ts';

describe('a path in logs and responses', () => {
  it.each([
    ['/api/v1/tenants/ten_1/traces', '/api/v1/tenants/ten_1/traces'],
    ['/api/v1/flowplatform/webhook', '/api/v1/flowplatform/webhook'],
    ['/api/v1/flowplatform/webhook/secret', '/api/v1/flowplatform/webhook/***'],
    ['/api/v1/flowplatform/webhook/mst_w1_secret/x', '/api/v1/flowplatform/webhook/***/x'],
    ['/api/v1/flowplatform/hook/mst_w1_secret', '/api/v1/flowplatform/hook/***'],
    ['/api/v1/tenants/mst_key_secret/traces', '/api/v1/tenants/***/traces'],
    ['//mst_a/mst_b', '//***/***'],
  ])('%s is shown as %s', (path, shown) => {
    expect(redactPath(path)).toBe(shown);
  });
});
