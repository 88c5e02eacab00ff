import { createHash } from 'node:crypto';
import * as z from 'zod/mini';

const propertySchema = z.object({ name: z.string(), value: z.string() });

const bomSchema = z.looseObject({
  metadata: z.looseObject({}),
  components: z.array(
    z.looseObject({
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      properties: z.optional(z.array(propertySchema)),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

/** The packages with their versions in the list of licences of the console: `## name - 1.2.3 (MIT)`. */
export const packagesOfConsole = (licences: string): string[] =>
  [...licences.matchAll(/^## (\S+) - (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`);

const DEVELOPMENT = 'cdx:npm:package:development';

/** A UUID that follows from a text, in the form of version 8. */
function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

/**
 * Keeps what the artefacts contain of the bill of materials that `npm sbom` writes: packages of the service, and those for
 * development whose code is in a bundle.
 *
 * @param bundled `name`, or `name@version` for one of several versions.
 * @param time of the commit: npm writes the time of the call and a random number.
 */
export function shippedMaterials(text: string, bundled: readonly string[], time: string): string {
  const bom = z.parse(bomSchema, JSON.parse(text));
  const names = new Set(bundled);
  const isShipped = ({ name, version, properties = [] }: (typeof bom.components)[number]) =>
    !properties.some((property) => property.name === DEVELOPMENT && property.value === 'true') ||
    names.has(name) ||
    names.has(`${name}@${version}`);
  const shipped = bom.components.filter(isShipped);
  // Within the artefacts, they are no packages for development.
  const components = shipped.map(({ properties = [], ...component }) => {
    const others = properties.filter(({ name }) => name !== DEVELOPMENT);
    return others.length === 0 ? component : { ...component, properties: others };
  });
  const refs = new Set(components.map((component) => component['bom-ref']));
  const dependencies = bom.dependencies
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => refs.has(dependency)) }))
    .filter(({ ref }, index) => index === 0 || refs.has(ref));
  const { serialNumber: _, ...rest } = bom;
  const content = { ...rest, metadata: { ...bom.metadata, timestamp: time }, components, dependencies };
  return `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}` }, undefined, 2)}\n`;
}
