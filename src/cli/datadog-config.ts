import { hostname } from 'node:os';
import { AppError } from '../core/app-error.ts';
import type { DatadogEndpoint } from '../platforms/datadog/send-series.ts';
import { assertBaseUrl } from './base-url.ts';
import type { Io } from './io.ts';
import { secretVariable } from './secret-variable.ts';

const SITE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;
const DEFAULT_SITE = 'datadoghq.com';

/** Null without `MISSTEP_DATADOG_API_KEY(_FILE)`. @throws AppError `usage` */
export function toDatadogEndpoint(env: Io['env']): DatadogEndpoint | null {
  const apiKey = secretVariable(env, 'MISSTEP_DATADOG_API_KEY');
  const site = env.MISSTEP_DATADOG_SITE || DEFAULT_SITE;
  if (!SITE.test(site))
    throw new AppError(
      'usage',
      `MISSTEP_DATADOG_SITE takes a site such as datadoghq.com or datadoghq.eu, not ${JSON.stringify(site)}.`,
    );
  const address = env.MISSTEP_DATADOG_URL;
  if (address) assertBaseUrl('MISSTEP_DATADOG_URL', address, 'https://api.datadoghq.eu');
  const baseUrl = address ? address.replace(/\/+$/, '') : `https://api.${site}`;
  return apiKey ? { baseUrl, apiKey, host: hostname() } : null;
}
