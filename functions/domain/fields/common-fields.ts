import * as z from 'zod/mini';
import { MAX_REVISION } from '../../../shared/core/revision.ts';
import { isLegible, text } from '../../../shared/core/text.ts';
import { lazily } from '../../../shared/core/lazily.ts';

/** Names become keys of the table and sort keys of its index, which are limited to 1,024 bytes. */
const MAX_NAME_BYTES = 1000;
export const MAX_NAME = 512;
export const MAX_LABELS = 64;
export const MAX_LABEL_VALUE = 1024;
export const MAX_FILTER_TEXT = 128;

/** A name that was stored before the present rules, the prefix of a name, or a reference to a name. */
export const storedName = text({ max: MAX_NAME, maxBytes: MAX_NAME_BYTES });

/** A unique name, stored as given: case-sensitive, not trimmed, not normalised. */
export const nameSchema = storedName.check(isLegible());

/** For a body whose path contains the name. */
export const nameInPath = z.optional(nameSchema.check(z.meta({ description: 'The name in the path; optional.' })));

/**
 * UUIDs are compared without regard to case (RFC 9562, section 4) and stored in lower case: an id of a caller is read so.
 * A text may contain several.
 */
const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

export const asStoredIds = () => z.overwrite<string>((text) => text.replace(UUIDS, (id) => id.toLowerCase()));

/** Ids are UUIDs; other text of this length is not found. */
export const idSchema = text({ max: 36 }).check(asStoredIds());

/** The id of one kind of object, named in documents. */
export function idOf(what: string) {
  return idSchema.check(z.meta({ description: `Id of the ${what} (UUID).` }));
}

/** The name of one kind of object, in a path. */
export function nameOf(what: string) {
  return storedName.check(
    z.meta({ description: `Name of the ${what}, percent-encoded: %2F for a slash, %25 for a percent sign.` }),
  );
}

/** A short attribute with a label index entry: region, cluster, environment, group. */
export const filterText = text({ max: MAX_FILTER_TEXT });

export const MAX_SHORT_TEXT = 256;
export const shortText = text({ max: MAX_SHORT_TEXT });

const labelName = z.string().check(
  z.check(({ value, issues }) => {
    if (/^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,127}$/.test(value)) return;
    const message =
      'Label names contain letters, digits and underscores, at most 128 characters, and do not begin with a digit or two underscores.';
    issues.push({ code: 'custom', input: value, message, params: { reason: 'invalid_label_name' } });
  }),
  z.meta({ pattern: '^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$', maxLength: 128 }),
);

const labelValue = text({ min: 0, max: MAX_LABEL_VALUE });

function atMostSoMany<T extends object>() {
  return z.check<T>(({ value, issues }) => {
    if (Object.keys(value).length <= MAX_LABELS) return;
    const params = { reason: 'too_many' };
    issues.push({ code: 'custom', input: value, message: `Must have at most ${MAX_LABELS} labels.`, params });
  });
}

export const labelsSchema = z
  .record(labelName, labelValue)
  .check(atMostSoMany())
  .register(z.globalRegistry, { id: 'Labels', maxProperties: MAX_LABELS, description: 'Custom labels, by name.' });

/** Label changes merge by name: null removes a label. */
export const labelChangesSchema = z
  .record(labelName, z.nullable(labelValue))
  .check(atMostSoMany())
  .register(z.globalRegistry, {
    id: 'Label_changes',
    maxProperties: MAX_LABELS,
    description: 'Labels to set, by name; null removes a label, other labels stay.',
  });

/**
 * For a rule over several fields: evaluated even when another field is invalid, so that one reply contains all
 * violations. So the rule must accept values of any type.
 */
export const whenObject = {
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
};

/** A list of distinct strings. */
export function listOfDifferent(
  entry: z.ZodMiniType<string>,
  max: number,
  description: string,
  message = 'Contains a duplicate.',
) {
  return z.array(entry).check(
    z.maxLength(max),
    z.check(({ value, issues }) => {
      if (new Set(value).size === value.length) return;
      issues.push({ code: 'custom', input: value, message, params: { reason: 'duplicate' } });
    }),
    z.meta({ description, uniqueItems: true }),
  );
}

/** A list of distinct ids. */
export function idList(max: number, description: string) {
  return listOfDifferent(idSchema, max, description, 'Contains a duplicate id.');
}

/** The names of the fields that the server sets for every object. */
export const recordFields = ['created_at', 'updated_at', 'revision'] as const;

/** The schemas of these fields: most functions need only the names. */
export const recordShape = lazily(() => ({
  created_at: z.iso.datetime().check(z.meta({ description: 'When it was added (RFC 3339, UTC).' })),
  updated_at: z.iso.datetime().check(z.meta({ description: 'When it was last changed (RFC 3339, UTC).' })),
  revision: z
    .int()
    .check(z.minimum(1), z.meta({ description: '1 when added, incremented by each change. Also the ETag.' })),
}));

/** An imported id: a UUID in the canonical spelling of this service. */
export function importedIdOf(what: string) {
  return z
    .string()
    .check(
      z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      z.meta({ description: `Id of the ${what}: a UUID in lower case.` }),
    );
}

/** The record of an imported object: all of its fields or none. Every revision that an object can have is imported. */
export function importedRecordShape() {
  const { created_at, updated_at, revision } = recordShape();
  return {
    created_at: z.optional(created_at),
    updated_at: z.optional(updated_at),
    revision: z.optional(revision.check(z.maximum(MAX_REVISION), z.meta({ description: 'Revision.' }))),
  };
}

interface ImportedRecord {
  created_at?: unknown;
  updated_at?: unknown;
  revision?: unknown;
}

/** An imported record must be complete and consistent. */
export function recordIsSound<T extends ImportedRecord>() {
  return z.check<T>(({ value, issues }) => {
    const missing = recordFields.filter((name) => !Object.hasOwn(value, name));
    const refuse = (field: string, reason: string, message: string) =>
      issues.push({ code: 'custom', input: value, path: [field], message, params: { reason } });
    if (missing.length > 0 && missing.length < recordFields.length)
      for (const name of missing)
        refuse(name, 'required', `Required: ${recordFields.join(', ')} must be given together.`);
    const { created_at: created, updated_at: updated, revision } = value;
    if (typeof created !== 'string' || typeof updated !== 'string') return;
    if (Date.parse(updated) < Date.parse(created))
      refuse('updated_at', 'out_of_range', 'Must not be before created_at.');
    else if (revision === 1 && updated !== created)
      refuse('updated_at', 'out_of_range', 'Must equal created_at at revision 1.');
  }, whenObject);
}

const setByServer = { reason: 'read_only', message: 'The server sets this field.' };

const secret = {
  reason: 'credential',
  message: 'Credentials are not stored here. Configure them on the host of the agent.',
};

/** Fields of the PMM inventory API that this service refuses on purpose. */
export const refusedCredentials = {
  password: secret,
  agent_password: secret,
  tls_ca: secret,
  tls_cert: secret,
  tls_key: secret,
  tls_certificate_key: secret,
  tls_certificate_key_file_password: secret,
  aws_access_key: secret,
  aws_secret_key: secret,
  azure_client_id: secret,
  azure_client_secret: secret,
  azure_tenant_id: secret,
};

const immutable = { reason: 'immutable', message: 'Cannot be changed. Remove the object and add it again.' };

/** The reason for several fields, in the form of `refused` of a contract. */
export function immutableFields(...names: string[]): Record<string, typeof immutable> {
  return Object.fromEntries(names.map((name) => [name, immutable]));
}

/** Fields that only the server sets: those of the record and those given. */
export function readOnlyFields(...names: string[]): Record<string, typeof setByServer> {
  return Object.fromEntries([...recordFields, ...names].map((name) => [name, setByServer]));
}
