import type { Attributes } from '../../core/span.ts';
import { asText, textAt } from './attribute-values.ts';

/**
 * Name of the service that sent a resource; null if it has none. OpenInference names the app in a key of its own. A name
 * that someone set wins over the `unknown_service:…` that OpenTelemetry's SDKs write where no one did.
 */
export function serviceOfResource(resource: Attributes): string | null {
  const service = asText(resource['service.name']);
  if (service !== undefined && !service.startsWith('unknown_service')) return service;
  return textAt(resource, 'openinference.project.name') ?? service ?? null;
}
