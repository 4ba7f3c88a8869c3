import type { Attributes } from '../../core/span.ts';
import { asText, textAt } from './attribute-values.ts';

/**
 * Name of the service that sent a resource; null if it has none. OpenInference names the app in a separate key. A
 * configured name takes precedence over the `unknown_service:…` default of OpenTelemetry's SDKs.
 */
export function serviceOfResource(resource: Attributes): string | null {
  const service = asText(resource['service.name']);
  if (service !== undefined && !service.startsWith('unknown_service')) return service;
  return textAt(resource, 'openinference.project.name') ?? service ?? null;
}
