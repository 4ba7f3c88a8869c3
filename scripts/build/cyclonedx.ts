import { createHash } from 'node:crypto';
import { Enums, Models, Serialize, type SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { Component } from './components.ts';
import type { ExecutableComponents } from './executable-components.ts';

const INDENT = 2;

/**
 * The software bill of materials of the executable as CycloneDX 1.6 JSON. The same components give the same bytes: the
 * serial number is a digest of the content, and the time is an argument.
 * @param timestamp null leaves it out
 */
export function toCycloneDx(
  version: string,
  { components, direct }: ExecutableComponents,
  timestamp: Date | null,
): string {
  const bom = new Models.Bom({ metadata: new Models.Metadata({ timestamp: timestamp ?? undefined }) });
  const models = new Map(components.map((component) => [component.purl, toModel(component)]));
  const purl = `pkg:generic/misstep@${version}`;
  const misstep = new Models.Component(Enums.ComponentType.Application, 'misstep', {
    bomRef: purl,
    version,
    purl,
    licenses: new Models.LicenseRepository([licenseOf('MIT')]),
  });
  addDependencies(misstep, direct, models);
  for (const { purl, dependsOn } of components) addDependencies(models.get(purl)!, dependsOn, models);
  bom.metadata.component = misstep;
  for (const model of models.values()) bom.components.add(model);
  bom.serialNumber = serialNumberOf(serialize(bom));
  return serialize(bom);
}

/** The time in `SOURCE_DATE_EPOCH` (seconds); null if it is not set. */
export function sourceDate(environment: NodeJS.ProcessEnv): Date | null {
  const text = environment.SOURCE_DATE_EPOCH;
  if (!text) return null;
  if (!/^\d{1,11}$/.test(text)) throw new Error(`SOURCE_DATE_EPOCH is not a number of seconds: ${text}`);
  return new Date(Number(text) * 1000);
}

function serialize(bom: Models.Bom): string {
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  // The library sorts by the locale of the machine; the components are already sorted.
  return `${serializer.serialize(bom, { sortLists: false, space: INDENT })}\n`;
}

function toModel({ name, version, license, purl, integrity, cpe }: Component): Models.Component {
  const [, group, plain] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [undefined, undefined, name];
  const type = name === 'node' ? Enums.ComponentType.Platform : Enums.ComponentType.Library;
  return new Models.Component(type, plain!, {
    bomRef: purl,
    group,
    version,
    purl,
    cpe: (cpe as Models.Component['cpe']) ?? undefined,
    licenses: new Models.LicenseRepository([licenseOf(license)]),
    hashes: new Models.HashDictionary(hashesOf(integrity)),
  });
}

function addDependencies(
  model: Models.Component,
  purls: readonly string[],
  models: ReadonlyMap<string, Models.Component>,
): void {
  for (const purl of purls) model.dependencies.add(models.get(purl)!.bomRef);
}

function licenseOf(license: string): Models.License {
  return / (?:OR|AND) /.test(license)
    ? new Models.LicenseExpression(license)
    : new Models.SpdxLicense(license as SPDX.SpdxId);
}

function hashesOf(integrity: string | null): [Enums.HashAlgorithm, string][] {
  const [, base64] = /^sha512-(\S+)$/.exec(integrity ?? '') ?? [];
  return base64 === undefined ? [] : [[Enums.HashAlgorithm['SHA-512'], Buffer.from(base64, 'base64').toString('hex')]];
}

/** Shaped as a UUID of version 8 (RFC 9562), whose bits are free. */
function serialNumberOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}
