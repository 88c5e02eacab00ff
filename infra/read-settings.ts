import * as z from 'zod/mini';
import type { AppSettings, InventorySettings } from './settings.ts';
import { inventorySchema, type SettingName, type Settings, settingsSchema, wantedFor } from './settings-table.ts';

const isSetting = (name: string): name is SettingName => Object.hasOwn(settingsSchema.shape, name);

/** Invalid settings, with a remedy for each. */
export class InvalidSettings extends Error {
  constructor(problems: readonly string[]) {
    super(['The settings cannot be used.', ...problems].join('\n- '));
    this.name = 'InvalidSettings';
  }
}

/** Problems of settings that depend on each other. */
function combinationProblems(settings: Settings): string[] {
  const { domainName, certificateArn, hostedZoneId, cdn, accessLogBucket, subnetIds, securityGroupIds } = settings;
  const missing = (given: string, value: unknown, absent: string) =>
    `${given} is ${JSON.stringify(value)}, but ${absent} is missing. Set ${absent} too.`;
  return [
    ...(domainName !== undefined && certificateArn === undefined
      ? [missing('domainName', domainName, 'certificateArn')]
      : []),
    ...(domainName === undefined && (certificateArn ?? hostedZoneId) !== undefined
      ? [
          `${certificateArn === undefined ? 'hostedZoneId' : 'certificateArn'} requires a host name of your own. Set domainName too, or omit it.`,
        ]
      : []),
    ...(cdn && certificateArn !== undefined && !certificateArn.startsWith('arn:aws:acm:us-east-1:')
      ? [
          `certificateArn is ${JSON.stringify(certificateArn)}, but CloudFront requires a certificate in us-east-1. Use such a certificate, or set cdn=false.`,
        ]
      : []),
    ...(subnetIds !== undefined && securityGroupIds === undefined
      ? [missing('subnetIds', subnetIds, 'securityGroupIds')]
      : []),
    ...(securityGroupIds !== undefined && subnetIds === undefined
      ? [missing('securityGroupIds', securityGroupIds, 'subnetIds')]
      : []),
    ...(accessLogBucket !== undefined && !cdn
      ? [
          'accessLogBucket is for the site of CloudFront, but cdn is false. Omit it: the log of the API exists without it.',
        ]
      : []),
  ];
}

function parsed<Schema extends z.core.$ZodType>(schema: Schema, values: Readonly<Record<string, unknown>>) {
  const result = z.safeParse(schema, values);
  if (result.success) return result.data;
  const names = new Set(result.error.issues.map(({ path }) => String(path[0])).filter(isSetting));
  throw new InvalidSettings(
    [...names].map(
      (name) =>
        `${name} is ${JSON.stringify(values[name])}, but must be ${wantedFor(name)}. Set it with -c ${name}=<value>, or omit it.`,
    ),
  );
}

function checked<Read extends Settings>(settings: Read): Read {
  const problems = combinationProblems(settings);
  if (problems.length > 0) throw new InvalidSettings(problems);
  return settings;
}

/** @throws InvalidSettings with all problems: the setting, its value, and the permitted values. */
export function readSettings(given: InventorySettings): Settings {
  return checked(parsed(inventorySchema, { ...given }));
}

/**
 * The settings in the context of a CDK app. Names of the CDK's own context contain `:`, `@`, `/` or `-`. Any other
 * unknown name is an error, because a misspelled setting would otherwise be ignored.
 *
 * @throws InvalidSettings
 */
export function readContext(context: unknown): Settings & Required<AppSettings> {
  const values = z.parse(z.record(z.string(), z.unknown()), context);
  const unknown = Object.keys(values).filter((name) => /^[A-Za-z0-9_]+$/.test(name) && !isSetting(name));
  if (unknown.length > 0)
    throw new InvalidSettings(
      unknown.map((name) => `Unknown setting "${name}". Settings: ${Object.keys(settingsSchema.shape).join(', ')}.`),
    );
  return checked(
    parsed(settingsSchema, Object.fromEntries(Object.entries(values).filter(([name]) => isSetting(name)))),
  );
}
