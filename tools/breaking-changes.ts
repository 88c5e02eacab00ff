import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { isRank, roleAllows } from '../shared/auth/roles.ts';
import { nameOf } from '../shared/openapi/schemas.ts';
import { redocly } from './redocly.ts';

/** The parts of a released document that the comparison reads. */
export const releasedSchema = z.looseObject({
  info: z.looseObject({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ 'x-sunset': z.optional(z.string()) }))),
});

export type ReleasedDocument = z.infer<typeof releasedSchema>;

const placeSchema = z.object({ pointer: z.string(), value: z.optional(z.unknown()) });

const changeSchema = z.object({
  path: z.string(),
  typeName: z.string(),
  kind: z.string(),
  /** The keyword, when it is one that changed. */
  property: z.optional(z.string()),
  verdicts: z.array(z.object({ ruleId: z.string(), impact: z.string(), message: z.string() })),
  base: z.optional(placeSchema),
  revision: z.optional(placeSchema),
});

const namedSchemas = z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) });

type Change = z.infer<typeof changeSchema>;

const reportSchema = z.object({ changes: z.array(changeSchema) });

/** Limits by the direction in which they admit more. */
const limits: Readonly<Record<string, 'up' | 'down'>> = {
  maxLength: 'up',
  maximum: 'up',
  maxItems: 'up',
  maxProperties: 'up',
  minLength: 'down',
  minimum: 'down',
  minItems: 'down',
  minProperties: 'down',
};

function isWidened({ property = '', base, revision }: Change): boolean {
  const [before, after] = [base?.value, revision?.value];
  if (typeof before !== 'number' || limits[property] === undefined) return false;
  if (typeof after !== 'number') return after === undefined;
  return limits[property] === 'up' ? after > before : after < before;
}

/** Whether a pattern takes the place of the enum of a parameter and accepts all of its values. */
function replacesEnum({ path, property, revision }: Change, all: readonly Change[]): boolean {
  const former = all.find((candidate) => candidate.path === path && candidate.property === 'enum')?.base?.value;
  const pattern = revision?.value;
  if (property !== 'pattern' || !path.includes('/parameters/') || typeof pattern !== 'string' || !Array.isArray(former))
    return false;
  return former.every((value) => typeof value === 'string' && new RegExp(pattern, 'u').test(value));
}

/** A request that may be one thing more is never reported, so that this is a reply. */
const isNewAlternative = ({ kind, path }: Change) => kind === 'added' && /\/oneOf\/\d+$/.test(path);

/** Changes that Redocly reports and docs/versioning.md permits, by the rule of Redocly. */
const borne: Readonly<Record<string, (change: Change, all: readonly Change[]) => boolean>> = {
  'schema-constraint-changed': (change, all) => isWidened(change) || replacesEnum(change, all),
  'schema-combinator-changed': isNewAlternative,
};

function isRaised(before: unknown, after: unknown): boolean {
  if (before === after || after === 'none') return false;
  return !isRank(before) || !isRank(after) || !roleAllows(before, after);
}

/** Without a lower role, every request needs the role of the operation. */
const isLowerRoleRaised = (before: unknown, after: unknown) => before !== undefined && isRaised(before, after);

function isNarrowed(before: unknown, after: unknown): boolean {
  if (typeof after !== 'string') return false;
  const admitted = after.split(' ');
  return typeof before !== 'string' || !before.split(' ').every((kind) => admitted.includes(kind));
}

/** Changes that break clients and that no rule of Redocly finds, by the keyword. */
const keywordRules: Readonly<Record<string, (before: unknown, after: unknown) => string | undefined>> = {
  default: () => 'the meaning of a request without it has changed',
  propertyName: () => 'another field distinguishes the types of the union',
  'x-role': (before, after) => (isRaised(before, after) ? 'it requires a higher role' : undefined),
  'x-lower-role': (before, after) => (isLowerRoleRaised(before, after) ? 'it requires a higher role' : undefined),
  'x-registrar': (before, after) => (before === true && after !== true ? 'it refuses Registrars' : undefined),
  'x-relay': (before, after) => (before === true && after !== true ? 'it refuses Relays' : undefined),
  'x-gateway': (before, after) => (before === true && after !== true ? 'it refuses Gateways' : undefined),
  'x-callers': (before, after) => (isNarrowed(before, after) ? 'fewer kinds of caller are admitted' : undefined),
  'x-sunset': (before, after) =>
    typeof before === 'string' && typeof after === 'string' && after < before
      ? 'its removal is earlier than announced'
      : undefined,
};

function faultsOf(change: Change, all: readonly Change[]): string[] {
  const { path, property = '', verdicts, base, revision } = change;
  const major = verdicts.filter(({ ruleId, impact }) => impact === 'major' && borne[ruleId]?.(change, all) !== true);
  const keywordChange = keywordRules[property]?.(base?.value, revision?.value);
  return [
    ...major.map(({ ruleId, message }) => `${path} ${ruleId}: ${message}`),
    ...(keywordChange === undefined ? [] : [`${path} ${property}: ${keywordChange}`]),
  ];
}

/** The document without the operations whose sunset has come. Its other operations still bind. */
function binding(released: ReleasedDocument, now: Date): ReleasedDocument {
  const today = now.toISOString().slice(0, 10);
  const paths = Object.entries(released.paths).map(([path, operations]) => {
    const kept = Object.entries(operations).filter(
      ([, { 'x-sunset': sunset }]) => sunset === undefined || sunset > today,
    );
    return [path, Object.fromEntries(kept)] as const;
  });
  return { ...released, paths: Object.fromEntries(paths.filter(([, kept]) => Object.keys(kept).length > 0)) };
}

/** In a form where Redocly sees every default: it passes over one that is an object, or stands beside a reference. */
function legible(document: object): unknown {
  const { components }: { components?: unknown } = document;
  const schemas = z.safeParse(namedSchemas, components).data?.schemas ?? {};
  const inner = (value: unknown, key = '', parent = ''): unknown => {
    if (key === 'default' && parent !== 'properties') return JSON.stringify(value);
    if (Array.isArray(value)) return value.map((item) => inner(item));
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...beside }: { $ref?: unknown } = value;
    if (typeof $ref === 'string' && 'default' in beside)
      return inner({ ...schemas[nameOf($ref)], ...beside }, key, parent);
    const kept = Object.entries(value)
      // A parameter whose description has other words, and whose enum has more values, it would report as another one.
      .filter(([name, text]) => name !== 'description' || typeof text !== 'string');
    return Object.fromEntries(kept.map(([name, part]) => [name, inner(part, name, key)]));
  };
  return inner(document);
}

/**
 * Every change that may break a client that obeys docs/versioning.md, each with the place in the document; one of a
 * shared schema is reported once, at the first place that uses it.
 */
export async function breakingChanges(
  released: ReleasedDocument,
  current: object,
  now = new Date(),
): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
  try {
    const [before, after] = [join(folder, 'released.json'), join(folder, 'current.json')];
    await writeFile(before, JSON.stringify(legible(binding(released, now))));
    await writeFile(after, JSON.stringify(legible(current)));
    const { status, stdout, stderr } = await redocly('diff', before, after, '--format=json', '--fail-on=none');
    if (status !== 0) throw new Error(`the documents cannot be compared: ${stderr}`);
    const { changes } = z.parse(reportSchema, JSON.parse(stdout));
    return changes.flatMap((change) => faultsOf(change, changes));
  } finally {
    await rm(folder, { recursive: true });
  }
}
