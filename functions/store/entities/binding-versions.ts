import { absent, and, equals, or } from '../../../shared/db/conditions.ts';
import type { Table } from '../../../shared/db/table.ts';
import type { TransactItem } from '../../../shared/db/transact.ts';
import { roleBindingKey } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import type { BindingVersions, WriteContext } from './write-context.ts';

interface BindingRecord {
  created_at: string;
  version?: string | undefined;
}

/** Differs after each change that can take something from an identity, and for a later binding with the same name. */
export const bindingVersion = ({ created_at: created, version }: BindingRecord): string => version ?? created;

/** The version of a binding that was narrowed by the change that gave it this revision. */
export const narrowedVersion = ({ created_at: created }: BindingRecord, revision: number): string =>
  `${created}/${revision}`;

/** Whether all bindings exist with their versions. One strongly consistent read each, at the same time. */
export async function areBindingsUnchanged(table: Table, versions: BindingVersions): Promise<boolean> {
  const isUnchanged = async ([name, version]: [string, string]) => {
    const { created_at: created, version: present = created } = (await readItem(table, roleBindingKey(name))) ?? {};
    return present === version;
  };
  return (await Promise.all(Object.entries(versions).map(isUnchanged))).every(Boolean);
}

/** The condition that a binding has a version. */
export const hasVersion = (version: string) =>
  or(equals('version', version), and(absent('version'), equals('created_at', version)));

/** The steps of a transaction that check the bindings. */
export const bindingChecks = (versions: BindingVersions = {}, onEnded: () => Error): TransactItem[] =>
  Object.entries(versions).map(([name, version]) => ({
    check: roleBindingKey(name),
    condition: hasVersion(version),
    onConditionFailed: onEnded,
  }));

/**
 * The bindings of what a caller makes: the key of a program makes nothing that outlives its own right. A person can open
 * another session, so what a session makes rests on no binding.
 */
export const inheritedBindings = ({ actor, credential }: Pick<WriteContext, 'actor' | 'credential'>) =>
  actor.kind === 'api_key' && credential?.bindings !== undefined ? { rests_on: { ...credential.bindings } } : {};
